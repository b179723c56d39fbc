/** The commands that change the list of trusted issuers of state IDs, for the walk over all commands. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listAuthorities } from "../../domain/state-id/authority-rows.ts";
import { keyFrom, makeRoot } from "../../providers/sandbox/state-id/authority.ts";
import type { Sandbox } from "./sandbox.ts";

export function changesOfIssuers({ store }: Sandbox, folder: string) {
  const file = join(folder, "root.der");
  const addLine = async () => {
    await writeFile(file, await makeRoot("CA", "California", keyFrom(Buffer.alloc(32, 7))));
    return `issuers add ${file}`;
  };
  const removeLine = async () =>
    `issuers remove ${(await listAuthorities(store.home))[0]?.fingerprint.toString("hex")}`;
  return {
    "issuers add": { line: addLine, action: "stateIds.authoritiesAdded" as const },
    "issuers remove": { line: removeLine, action: "stateIds.authorityRemoved" as const },
  };
}
