/** Commands about API keys, and the master key. */
import { listEveryKey } from "../domain/brand/api-key-rows.ts";
import { addKey, revokeKey } from "../domain/brand/keys.ts";
import { assertBrand, change, withAdmin } from "./admin.ts";
import { command, exampleBrand, exits, uuid } from "./arguments.ts";
import { brandCommand, brandCommandIn } from "./brands.ts";
import { print } from "./output.ts";
import { rotateMaster } from "./production.ts";

const list = brandCommandIn("list", "", "--json")
  .description("list a brand's API keys, without their secret parts")
  .action(
    exits(({ brand, environment, json }) =>
      withAdmin(environment, async (admin) => {
        const { home, clock } = admin;
        await assertBrand(admin, brand);
        const now = clock.now();
        const keys = await listEveryKey(home, { environment, brandUuid: brand, now });
        const at = (time: number | null) => (time === null ? null : new Date(time).toISOString());
        const stateOf = ({ revokedAt, endsAt }: (typeof keys)[number]) =>
          revokedAt !== null ? "revoked" : endsAt !== null && endsAt <= now ? "expired" : "active";
        const rows = keys.map((key) => ({
          key: key.uuid,
          name: key.name,
          lastFour: key.lastFour,
          state: stateOf(key),
          createdAt: at(key.createdAt),
          lastUsedAt: at(key.lastUsedAt),
        }));
        return print(rows, { json });
      }),
    ),
  );

const create = brandCommand("create", '--name "Payment server"')
  .description("create an API key, which is shown once")
  .option("--name <name>", "a name for the key", "key")
  .action(
    exits(({ brand, name, environment, json }) =>
      change(
        { command: "keys create", environment, action: "key.created", brand, subject: name },
        async (admin, { by }) => {
          const { uuid: key, apiKey } = await addKey(admin, { brandUuid: brand, name, ipRanges: [] }, by);
          return print({ key, environment, apiKey }, { json });
        },
      ),
    ),
  );

const revoke = brandCommand("revoke", `--key ${exampleBrand.replace("b", "c")}`)
  .description("revoke an API key; every process refuses it immediately")
  .requiredOption("--key <uuid>", "the key, as `countersign keys list` shows it", uuid)
  .action(
    exits(({ brand, key, environment, json }) =>
      change(
        { command: "keys revoke", environment, action: "key.revoked", brand, subject: key },
        async (admin, { by }) => {
          await revokeKey(admin, { brandUuid: brand, keyUuid: key, subject: key }, by);
          return print({ brand, environment, key, state: "revoked" }, { json });
        },
      ),
    ),
  );

export const keys = command("keys")
  .description("list, create and revoke API keys, and rotate the master key")
  .addCommand(list)
  .addCommand(create)
  .addCommand(revoke)
  .addCommand(rotateMaster);
