import type * as account from "@countersign/contract/dashboard";
import type * as brands from "@countersign/contract/dashboard-brands";
import type * as logo from "@countersign/contract/dashboard-logo";
import type * as watch from "@countersign/contract/dashboard-reporting";
import type * as rules from "@countersign/contract/dashboard-rules";
import type * as sandbox from "@countersign/contract/dashboard-sandbox";
import type * as signIn from "@countersign/contract/dashboard-sign-in";
import type * as start from "@countersign/contract/dashboard-start";
import type * as webhooks from "@countersign/contract/dashboard-webhooks";
import type { Endpoint, Input, Output } from "@countersign/contract/endpoint";

/** Why a call failed. */
export type Trouble = {
  /** `changed`: another member saved first. `lost`: no connection. */
  kind: "signedOut" | "forbidden" | "missing" | "changed" | "invalid" | "busy" | "away" | "lost" | "broken";
  message: string;
  /** The invalid members, by path. */
  problems: { path: string; message: string }[];
};
/** The problem of one body member, to show next to its field. */
export function problemWith(trouble: Trouble | null, member: string): string | undefined {
  return trouble?.problems.find(({ path }) => path === `body.${member}`)?.message;
}
export type Outcome<Value> = { kind: "ok"; value: Value } | { kind: "trouble"; trouble: Trouble };

const deadlineMs = 20_000;
type Endpoints = typeof account &
  typeof brands &
  typeof logo &
  typeof rules &
  typeof sandbox &
  typeof signIn &
  typeof start &
  typeof watch &
  typeof webhooks;
type Id = { [Name in keyof Endpoints]: Endpoints[Name] extends Endpoint ? Name : never }[keyof Endpoints];
type In<Name extends Id> = Input<Endpoints[Name]>;
type Asked = { params?: Record<string, string>; query?: Record<string, string>; body?: unknown };

/** A typed call of one endpoint, by its name. `route` is the method and path from the contract. */
function endpoint<Name extends Id>(route: `${string} /api/${string}`) {
  return (input: Given<Name>): Promise<Outcome<Output<Endpoints[Name]>>> => call(route, input);
}
type Part<Key extends string, Value> = [Value] extends [undefined]
  ? { [K in Key]?: undefined }
  : Record<never, never> extends Value
    ? { [K in Key]?: Value }
    : { [K in Key]: Value };
type Given<Name extends Id> = Asked &
  Part<"params", In<Name>["params"]> &
  Part<"query", In<Name>["query"]> &
  Part<"body", In<Name>["body"]>;

const ofEnvironment = "/api/brands/:brand/:environment";

export const api = {
  beginSignIn: endpoint<"beginMemberSignIn">("POST /api/sign-in"),
  signInByCode: endpoint<"signInByCode">("POST /api/sign-in/:uuid/code"),
  readSignInLink: endpoint<"readSignInLink">("POST /api/sign-in-link/preview"),
  signInByLink: endpoint<"signInByLink">("POST /api/sign-in-link"),
  beginPasskeySignIn: endpoint<"beginPasskeySignIn">("POST /api/sign-in-passkey"),
  signInByPasskey: endpoint<"signInByPasskey">("POST /api/sign-in-passkey/:uuid"),
  signOut: endpoint<"signOutMember">("DELETE /api/session"),
  me: endpoint<"readMe">("GET /api/me"),
  patchMe: endpoint<"patchMe">("PATCH /api/me"),
  mySessions: endpoint<"listMySessions">("GET /api/me/sessions"),
  endMySession: endpoint<"endMySession">("DELETE /api/me/sessions/:uuid"),
  myPasskeys: endpoint<"listMyPasskeys">("GET /api/me/passkeys"),
  beginMyPasskey: endpoint<"beginMyPasskey">("POST /api/me/passkeys"),
  finishMyPasskey: endpoint<"finishMyPasskey">("POST /api/me/passkeys/:uuid"),
  deleteMyPasskey: endpoint<"deleteMyPasskey">("DELETE /api/me/passkeys/:uuid"),
  team: endpoint<"listTeam">("GET /api/members"),
  invite: endpoint<"inviteMember">("POST /api/members"),
  inviteAgain: endpoint<"inviteMemberAgain">("POST /api/members/:uuid/invitation"),
  patchMember: endpoint<"patchMember">("PATCH /api/members/:uuid"),
  deleteMember: endpoint<"deleteMember">("DELETE /api/members/:uuid"),
  patchCustomer: endpoint<"patchCustomer">("PATCH /api/customer"),
  audit: endpoint<"listAudit">("GET /api/audit"),
  brands: endpoint<"listBrands">("GET /api/brands"),
  createBrand: endpoint<"createBrand">("POST /api/brands"),
  brand: endpoint<"readBrand">("GET /api/brands/:brand"),
  renameBrand: endpoint<"renameBrand">("PATCH /api/brands/:brand"),
  duplicateBrand: endpoint<"duplicateBrand">("POST /api/brands/:brand/duplicate"),
  createProduction: endpoint<"createProduction">("POST /api/brands/:brand/production"),
  start: endpoint<"readStart">(`GET ${ofEnvironment}/start`),
  settings: endpoint<"readSettings">(`GET ${ofEnvironment}/settings`),
  patchSettings: endpoint<"patchSettings">(`PATCH ${ofEnvironment}/settings`),
  putLogo: (input: Pick<Given<"putLogo">, "params" | "query"> & { body: Blob }) =>
    call<Output<typeof logo.putLogo>>(`PUT ${ofEnvironment}/logo`, input),
  deleteLogo: endpoint<"deleteLogo">(`DELETE ${ofEnvironment}/logo`),
  sync: endpoint<"syncSettings">("POST /api/brands/:brand/sync"),
  keys: endpoint<"listKeys">(`GET ${ofEnvironment}/keys`),
  createKey: endpoint<"createKey">(`POST ${ofEnvironment}/keys`),
  patchKey: endpoint<"patchKey">(`PATCH ${ofEnvironment}/keys/:key`),
  rollKey: endpoint<"rollKey">(`POST ${ofEnvironment}/keys/:key/roll`),
  revokeKey: endpoint<"revokeKey">(`DELETE ${ofEnvironment}/keys/:key`),
  approvals: endpoint<"readApprovals">(`GET ${ofEnvironment}/approvals`),
  requestApproval: endpoint<"requestApproval">("POST /api/brands/:brand/approval-request"),
  webhooks: endpoint<"listWebhooks">(`GET ${ofEnvironment}/webhooks`),
  createWebhook: endpoint<"createWebhook">(`POST ${ofEnvironment}/webhooks`),
  patchWebhook: endpoint<"patchWebhook">(`PATCH ${ofEnvironment}/webhooks/:webhook`),
  rotateWebhookSecret: endpoint<"rotateWebhookSecret">(`POST ${ofEnvironment}/webhooks/:webhook/rotate`),
  deleteWebhook: endpoint<"deleteWebhook">(`DELETE ${ofEnvironment}/webhooks/:webhook`),
  testWebhook: endpoint<"testWebhook">(`POST ${ofEnvironment}/webhooks/:webhook/test`),
  deliveries: endpoint<"listWebhookDeliveries">(`GET ${ofEnvironment}/deliveries`),
  delivery: endpoint<"readWebhookDelivery">(`GET ${ofEnvironment}/deliveries/:delivery`),
  revealDelivery: endpoint<"revealWebhookDelivery">(`POST ${ofEnvironment}/deliveries/:delivery/reveal`),
  replayDelivery: endpoint<"replayWebhookDelivery">(`POST ${ofEnvironment}/deliveries/:delivery/replay`),
  rulePayers: endpoint<"searchRulePayers">(`GET ${ofEnvironment}/payers`),
  tryRules: endpoint<"tryNetworkRules">(`POST ${ofEnvironment}/network-rules/trial`),
  searchLog: endpoint<"searchLog">(`POST ${ofEnvironment}/log`),
  logLine: endpoint<"readLogLine">(`GET ${ofEnvironment}/log/:line`),
  figures: endpoint<"readFigures">(`GET ${ofEnvironment}/figures`),
  usage: endpoint<"readUsage">(`GET ${ofEnvironment}/usage`),
  ledger: endpoint<"listLedger">(`GET ${ofEnvironment}/ledger`),
  exportUsage: endpoint<"exportUsage">(`GET ${ofEnvironment}/usage-csv`),
  outbox: endpoint<"readOutbox">("GET /api/sandbox/outbox"),
  clock: endpoint<"readDeskClock">("GET /api/sandbox/clock"),
  moveClock: endpoint<"moveDeskClock">("POST /api/sandbox/clock"),
  resetClock: endpoint<"resetDeskClock">("DELETE /api/sandbox/clock"),
};

let onSignedOut: () => void = () => {};
/** Registers a listener for calls that fail because the session has ended. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

async function call<Value>(route: string, { params = {}, query = {}, body }: Asked): Promise<Outcome<Value>> {
  const [method = "GET", path = ""] = route.split(" ");
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams(query).toString();
  try {
    const response = await fetch(search === "" ? filled : `${filled}?${search}`, {
      method,
      ...payloadOf(body),
      credentials: "same-origin",
      cache: "no-store",
      signal: AbortSignal.timeout(deadlineMs),
    });
    const answer = await response.json();
    if (response.ok) return { kind: "ok", value: answer };
    if (response.status === 401) onSignedOut();
    return { kind: "trouble", trouble: troubleOf(response.status, answer) };
  } catch {
    return { kind: "trouble", trouble: { kind: "lost", message: "", problems: [] } };
  }
}

/** An image is sent as raw bytes with its own content type. Everything else is JSON. */
function payloadOf(body: unknown): Pick<RequestInit, "headers" | "body"> {
  if (body === undefined) return {};
  if (body instanceof Blob) return { headers: { "content-type": body.type }, body };
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

const kinds: Readonly<Record<number, Trouble["kind"]>> = {
  400: "invalid",
  401: "signedOut",
  403: "forbidden",
  404: "missing",
  409: "changed",
  413: "invalid",
  415: "invalid",
  429: "busy",
  503: "away",
};

function troubleOf(status: number, answer: unknown): Trouble {
  const envelope = isRecord(answer) ? answer : {};
  const data = isRecord(envelope.data) ? envelope.data : {};
  return {
    kind: kinds[status] ?? "broken",
    message: typeof envelope.message === "string" ? envelope.message : "",
    problems: Array.isArray(data.errors) ? data.errors.filter(isProblem) : [],
  };
}

function isProblem(value: unknown): value is { path: string; message: string } {
  return isRecord(value) && typeof value.path === "string" && typeof value.message === "string";
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
