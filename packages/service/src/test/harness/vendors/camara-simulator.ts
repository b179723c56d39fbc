import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import type { FakeTime } from "../fake-time.ts";
import { type FakeReply, type FakeRequest, fakeVendor } from "./fake-vendor.ts";

/** What the operator stores about a token. */
type Token = { line: string | null; amr: "nba" | "otp"; scope: string; expiresAt: number; used: boolean };
export type Twist = {
  amr?: "nba" | "otp";
  scope?: string;
  tokenLifeMs?: number;
  claims?: Record<string, unknown>;
  /** Returned by the API instead of its own decision. */
  apiReply?: FakeReply;
};

const words: Record<string, string> = {
  INVALID_ARGUMENT: "Client specified an invalid argument, request body or query param.",
  UNAUTHENTICATED: "Request not authenticated due to missing, invalid, or expired credentials.",
  PERMISSION_DENIED: "Client does not have sufficient permissions to perform this action.",
  "NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK":
    "Client must authenticate via the mobile network to use this service",
};
const problem = (status: number, code: string): FakeReply => ({ status, body: { status, code, message: words[code] } });
const notAuthenticated = problem(401, "UNAUTHENTICATED");
const badArgument = problem(400, "INVALID_ARGUMENT");

type SimulatorOptions = { clientId: string; clientKey: KeyObject; redirectUrl: string };
type World = {
  time: FakeTime;
  options: SimulatorOptions;
  issuer: string;
  /** How the operator deviates in the next journeys. */
  twist: Twist;
  codes: Map<string, { line: string; challenge: string; nonce: string; scope: string }>;
  tokens: Map<string, Token>;
  /** Request bodies that `/verify` received. */
  bodies: unknown[];
};

/** An operator: its authorization server, which identifies a device by `x-line`, and Number Verification v2. */
export async function camaraSimulator(time: FakeTime, options: SimulatorOptions) {
  const issuer = "https://operator.example";
  const world: World = { time, options, issuer, twist: {}, codes: new Map(), tokens: new Map(), bodies: [] };
  const vendor = await fakeVendor(time, (request) => {
    if (request.url.pathname === "/authorize") return authorize(world, request);
    if (request.url.pathname === "/token") return token(world, request);
    const reply = judge(world, request);
    const correlator = request.headers["x-correlator"];
    return typeof correlator === "string"
      ? { ...reply, headers: { ...reply.headers, "x-correlator": correlator } }
      : reply;
  });
  return {
    vendor,
    issuer,
    twist: world.twist,
    bodies: world.bodies,
    apiUrl: `${vendor.url}/number-verification/v2`,
    issue: (one: Parameters<typeof issue>[1]) => issue(world, one),
  };
}

function issue({ time, tokens }: World, token: Omit<Token, "used" | "expiresAt"> & { lifeMs?: number }): string {
  const name = `at-${tokens.size}`;
  tokens.set(name, { ...token, expiresAt: time.clock.now() + (token.lifeMs ?? 300_000), used: false });
  return name;
}

function authorize({ options, codes, issuer }: World, { url, headers }: FakeRequest): FakeReply {
  const query = url.searchParams;
  const back = new URL(options.redirectUrl);
  if (query.get("redirect_uri") !== options.redirectUrl || query.get("client_id") !== options.clientId)
    return { status: 400 };
  const line = headers["x-line"];
  const scope = query.get("scope") ?? "";
  if (query.get("prompt") !== "none" || typeof line !== "string") back.searchParams.set("error", "login_required");
  else if (!/^openid dpv:\w+ number-verification:\S+$/.test(scope)) back.searchParams.set("error", "invalid_scope");
  else {
    const code = `code-${codes.size}`;
    codes.set(code, { line, challenge: query.get("code_challenge") ?? "", nonce: query.get("nonce") ?? "", scope });
    back.searchParams.set("code", code);
    back.searchParams.set("iss", issuer);
  }
  back.searchParams.set("state", query.get("state") ?? "");
  return { status: 302, headers: { location: back.href } };
}

function token(world: World, { body, url }: FakeRequest): FakeReply {
  const { options, codes, issuer, time, twist } = world;
  const form = new URLSearchParams(body);
  if (!isClient(world, form, `${url.origin}/token`)) return { status: 401, body: { error: "invalid_client" } };
  const code = codes.get(form.get("code") ?? "");
  codes.delete(form.get("code") ?? "");
  const challenge = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  if (code === undefined || challenge !== code.challenge || form.get("redirect_uri") !== options.redirectUrl)
    return { status: 400, body: { error: "invalid_grant" } };
  const seconds = Math.floor(time.clock.now() / 1_000);
  const { nonce, line } = code;
  const claims = {
    iss: issuer,
    aud: options.clientId,
    sub: "pairwise",
    nonce,
    iat: seconds,
    exp: seconds + 300,
    ...twist.claims,
  };
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const { amr = "nba", scope = code.scope, tokenLifeMs = 300_000 } = twist;
  const access = issue(world, { line, amr, scope, lifeMs: tokenLifeMs });
  return {
    body: {
      access_token: access,
      token_type: "Bearer",
      expires_in: 300,
      id_token: `${part({ alg: "ES256" })}.${part(claims)}.c2ln`,
    },
  };
}

function isClient({ options, time }: World, form: URLSearchParams, audience: string): boolean {
  const [header = "", payload = "", signature = ""] = (form.get("client_assertion") ?? "").split(".");
  const claims = JSON.parse(payload === "" ? "{}" : Buffer.from(payload, "base64url").toString());
  const seconds = time.clock.now() / 1_000;
  const key = { key: createPublicKey(options.clientKey), dsaEncoding: "ieee-p1363" as const };
  return (
    claims.iss === options.clientId &&
    claims.sub === options.clientId &&
    claims.aud === audience &&
    claims.exp > seconds &&
    claims.exp - claims.iat <= 300 &&
    typeof claims.jti === "string" &&
    verify("sha256", Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"))
  );
}

function judge({ bodies, time, tokens, twist }: World, request: FakeRequest): FakeReply {
  const isVerify = request.url.pathname.endsWith("/verify");
  if (isVerify) bodies.push(request.body === "" ? null : JSON.parse(request.body));
  if (twist.apiReply !== undefined) return twist.apiReply;
  const bearer = tokens.get(request.headers.authorization?.replace(/^Bearer /, "") ?? "");
  if (bearer === undefined || bearer.used || bearer.expiresAt <= time.clock.now()) return notAuthenticated;
  bearer.used = true;
  const needed = isVerify ? "number-verification:verify" : "number-verification:device-phone-number:read";
  if (!bearer.scope.split(" ").includes(needed)) return problem(403, "PERMISSION_DENIED");
  if (bearer.amr !== "nba") return problem(403, "NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK");
  return isVerify ? verifyNumber(request, bearer) : { body: { devicePhoneNumber: bearer.line } };
}

function verifyNumber({ body }: FakeRequest, { line }: Token): FakeReply {
  const sent: Record<string, unknown> = body === "" ? {} : JSON.parse(body);
  const [name, ...more] = Object.keys(sent);
  const value = String(sent[name ?? ""]);
  if (more.length > 0) return badArgument;
  if (name === "phoneNumber" && /^\+[1-9][0-9]{4,14}$/.test(value))
    return { body: { devicePhoneNumberVerified: value === line } };
  if (name === "hashedPhoneNumber" && /^[a-fA-F0-9]{64}$/.test(value)) {
    const hash = createHash("sha256")
      .update(line ?? "")
      .digest("hex");
    return { body: { devicePhoneNumberVerified: value.toLowerCase() === hash } };
  }
  return badArgument;
}
