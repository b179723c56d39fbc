/** Both environments in one process. Production uses vendors on this machine and their clock. */
import assert from "node:assert/strict";
import type { ProductionReplaced } from "../../compose/production.ts";
import type { Replaced } from "../../compose/sandbox.ts";
import { signedHeaders } from "../../providers/signature.ts";
import { fakeTime } from "./fake-time.ts";
import { brandClient, injectInto, sandbox, stillClock } from "./sandbox.ts";
import { fakeIdentitySource, secret as sourceSecret } from "./vendors/fake-sources.ts";
import { fakeVendor } from "./vendors/fake-vendor.ts";

const gatewaySecret = "gateway-secret-for-tests-of-32-characters";
const identityIssuer = "0b1f7c80-5d0a-4a55-9d7c-1f0f6f6d2a11";
export const publicVariables = {
  PRODUCTION_API_PORT: "0",
  PRODUCTION_WALLET_PORT: "0",
  PUBLIC_PRODUCTION_API_URL: "https://api.example.com",
  PUBLIC_PRODUCTION_WALLET_URL: "https://wallet.example.com",
  PUBLIC_DASHBOARD_URL: "https://dashboard.example.com",
  MASTER_KEY: "5".repeat(64),
  SMTP_URL: "smtp://127.0.0.1:1",
  SMTP_FROM: "Countersign <id@example.com>",
};

export type SentText = { id: string; to: string; body: string; reportUrl?: string };
export type Both = Awaited<ReturnType<typeof both>>;

/** `variables` configure more vendors, or remove some. */
export async function both(
  variables: Record<string, string> = {},
  replaced: ProductionReplaced = {},
  ofSandbox: Replaced = {},
) {
  const time = fakeTime();
  const texts: SentText[] = [];
  const gateway = await fakeVendor(time, ({ body }) => {
    const text: SentText = JSON.parse(body);
    texts.push(text);
    return { status: 202, body: { id: text.id, status: "accepted" } };
  });
  const source = await fakeIdentitySource(time);
  const clock = stillClock(time.clock.now());
  const it = await sandbox(
    ofSandbox,
    {
      ...publicVariables,
      SANDBOX_CLOCK: "on",
      SMS_GATEWAY_URL: `${gateway.url}/texts`,
      SMS_GATEWAY_SECRET: gatewaySecret,
      SMS_GATEWAY_FROM: "Countersign",
      IDENTITY_SOURCE_URL: `${source.url}/ask`,
      IDENTITY_SOURCE_SECRET: `${sourceSecret}`,
      IDENTITY_SOURCE_ISSUER: identityIssuer,
      ...variables,
    },
    { clock, tools: time.tools, quotas: { key: 100_000, address: 100_000 }, ...replaced },
  );
  const { production } = it;
  assert.ok(production);
  await production.app.ready();
  const inject = injectInto(production.app);
  const as = (apiKey: string | null) => brandClient(inject, apiKey, "/v2");
  const codeTo = (phone: string) => {
    const last = texts.filter((one) => one.to === phone).at(-1);
    return /^(\d{6}) /.exec(last?.body ?? "")?.[1] ?? assert.fail(`no code was texted to ${phone}`);
  };
  return {
    ...it,
    production,
    real: { ...production, inject, as, clock },
    time,
    gateway,
    texts,
    codeTo,
    /** Moves the clocks of production and its vendors. */
    pass(ms: number) {
      clock.setOffset(clock.offsetMs() + ms);
      time.advance(ms);
    },
    /** Proves a phone with the texted code, and returns the verification's uuid. */
    async prove(api: ReturnType<typeof as>, phone: string) {
      const { uuid } = (await api.createVerification({ body: { channel: "sms", phone } })).body;
      await api.deliverVerification({ params: { uuid }, body: {} });
      await production.worker.runDue();
      await api.submitVerificationCode({ params: { uuid }, body: { code: codeTo(phone) } });
      return uuid;
    },
    /** Calls as the gateway, signed with its secret or with another one. */
    async called(path: string, body: object, secret = gatewaySecret) {
      const payload = JSON.stringify(body);
      const headers = signedHeaders(secret, payload, time.clock.now());
      return await inject({ method: "POST", url: path, headers, payload });
    },
  };
}
