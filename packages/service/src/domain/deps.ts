import type { Approval, BrandSettings, Environment } from "@countersign/contract/brand";
import type { OperatorRole } from "@countersign/contract/operator-role";
import type { KeyedStores } from "../store/cells/keyed.ts";
import type { Database, Home, Keyed } from "../store/database.ts";
import type { OwnWorker } from "../store/queue.ts";
import type { Vault } from "../store/vault.ts";
import type {
  Caps,
  Carrier,
  Clearinghouse,
  Clock,
  CodeMaker,
  IdentitySource,
  MailSender,
  OpenIdProvider,
  Outbound,
  PayerDirectory,
  Phone,
  PhoneBook,
  Random,
  RiskScorer,
  SmsSender,
  StateIdTrust,
} from "./ports.ts";

/** What flows use that are not about a person, or that use home or every cell: one record per environment. */
export type HomeDeps = {
  environment: Environment;
  /** Customers, brands, keys, members and webhooks. */
  home: Home;
  cells: Cells;
  /** The databases of the rows that a key selects. */
  keyed: KeyedStores;
  vault: Vault;
  clock: Clock;
  /** The machine's time. The sandbox's clock does not change it. Accounts and processes use it. */
  realClock: Clock;
  random: Random;
  phones: PhoneBook;
  codes: CodeMaker;
  vendors: Vendors;
  policy: Policy;
  /** Base URLs of this environment, without a trailing slash. Known once it listens. */
  addresses: { apiUrl: string; walletUrl: string };
};

/** What flows about a person use: one record per cell. `compose/` builds it. */
export type Deps = HomeDeps & {
  /** What is stored about people in the cell of this request or job. */
  db: Database;
  /** The keyed rows that are stored with this cell. */
  ownKeyed: Keyed;
  /** Whether this cell stores a new person with this lookup value now. */
  takesNew(index: Buffer): boolean;
  /** Starts enqueued jobs as soon as they are committed. */
  worker: OwnWorker;
};

/** Services outside: the adapters of an environment. */
export type Vendors = {
  identity: IdentitySource;
  risk: RiskScorer;
  sms: SmsSender;
  carrier: Carrier;
  clearinghouse: Clearinghouse;
  payers: PayerDirectory;
  stateIds: StateIdTrust;
  outbound: Outbound;
};

/** What an environment offers, permits and limits. */
export type Policy = {
  /** What this environment can do. Without an SMS sender or a clearinghouse, flows that need one are refused. */
  offers: { texts: boolean; health: boolean };
  /** Whether a redirect may lead to this machine, as in development. */
  loopbackRedirects: boolean;
  /** Whether the service texts the people of v1 brands, unless their settings say that the brand does. */
  textsForV1: boolean;
  /** Whether any site may frame a brand that lists no allowed origins. */
  openFraming: boolean;
  /** Whether every page and text says that this is a test environment. */
  isTest: boolean;
  /** Whether names and hosts that people read in texts wait for the operator's approval when a brand changes them. */
  namesWait: boolean;
  /** Brands shown on a fixed test person's page. All customers share fixed people, so no customer's brands appear. */
  fixedPeopleShow: readonly string[];
  /** Limits on texts and on wrong codes. */
  caps: Caps;
};

/**
 * The cells of one environment. Everything about a person is stored in one cell. A request uses one cell, and lists and
 * figures ask all of them.
 */
export type Cells = {
  /** The cell of the object with this uuid. If no cell has it, any of them. */
  ofUuid(uuid: string): Promise<Deps>;
  /** The cell of an object that may have moved to another cell, and its uuid there. */
  ofMoved(uuid: string): Promise<{ cell: Deps; uuid: string }>;
  /** The cell that has a brand's credential with this id. Issuers choose ids, so every cell is asked. */
  ofIssued(id: string, brandUuid: string): Promise<Deps>;
  /** Whether another cell that can be reached has a brand's credential with one of these ids. */
  issuedElsewhere(here: Deps, ids: readonly string[], brandUuid: string): Promise<boolean>;
  /** The cell that made a token or a link. The token carries the cell's number, because only its hash is stored. */
  ofToken(token: string): Deps;
  /** The cell of the person with this phone. If no cell knows the phone, the one that stores it from now on. */
  ofPhone(phone: Phone): Promise<Deps>;
  /** The cell of the person whom only the email address with this lookup value identifies. */
  ofEmail(index: Buffer): Promise<Deps>;
  /** A cell for what belongs to no known person, always the same one for the same text. */
  ofText(text: string): Deps;
  all(): readonly Deps[];
};

/**
 * Dependencies of accounts. Accounts are outside both environments: they use the real clock, and a reset of the sandbox
 * does not end sign-ins.
 */
export type AccountDeps = Pick<Deps, "home" | "vault" | "random"> & {
  /** The databases of all cells, cell 0 first. */
  cells(): readonly Database[];
  clock: Clock;
  mail: MailSender;
  /** Null: members cannot sign in with OpenID Connect. */
  openId: OpenIdProvider | null;
  /** Base URLs without a trailing slash. Known once they listen. `operatorUrl`: null if the console is off. */
  addresses: { dashboardUrl: string; operatorUrl: string | null };
  /** The operator's command, which the audit log names. The service itself only prints links when it starts. */
  operator: Operator;
};

/**
 * A command of the operator with an id of its own, or a call of the console. `person`: who is signed in to the console.
 * `sessionUuid`: null while they sign in. `reason`: why they do it.
 */
export type Operator = {
  requestId: string;
  call: string;
  person?: { uuid: string; role: OperatorRole; sessionUuid: string | null };
  reason?: string | undefined;
};

/** The scope of keys and lookup hashes of accounts, separate from both environments. */
export const accountScope = "account";

export type Brand = {
  uuid: string;
  customerUuid: string;
  name: string;
  settings: BrandSettings;
  settingsVersion: number;
  approvals: ReadonlySet<Approval>;
  /** Whether one of its webhooks gets events about signups. */
  hearsSignups: boolean;
  mode: BrandMode;
};

/** What the operator allows a brand to do: everything, reads only, or nothing. */
export type BrandMode = "active" | "readOnly" | "stopped";

/** The brand a call is made for. `apiKeyUuid` is null if the person acts on a page, without the brand's key. */
export type Caller = { brand: Brand; apiKeyUuid: string | null; requestId: string };

/** Timeout of one call to an outside source, in milliseconds. */
export const sourceDeadlineMs = 10_000;
