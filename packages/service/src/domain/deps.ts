import type { Approval, BrandSettings, Environment } from "@countersign/contract/brand";
import type { Database } from "../store/database.ts";
import type { Vault } from "../store/vault.ts";
import type {
  Caps,
  Carrier,
  Clearinghouse,
  Clock,
  CodeMaker,
  IdentitySource,
  Outbound,
  PayerDirectory,
  PhoneBook,
  Random,
  RiskScorer,
  SmsSender,
} from "./ports.ts";

/** What flows may use: one record per environment, made in `compose/`. */
export type Deps = {
  environment: Environment;
  db: Database;
  vault: Vault;
  clock: Clock;
  /** The machine's time, which nobody moves: accounts and processes live by it. */
  realClock: Clock;
  random: Random;
  phones: PhoneBook;
  codes: CodeMaker;
  identity: IdentitySource;
  risk: RiskScorer;
  sms: SmsSender;
  carrier: Carrier;
  clearinghouse: Clearinghouse;
  payers: PayerDirectory;
  outbound: Outbound;
  /** What stands behind this environment: without a sender of texts, or a clearinghouse, what needs one says so. */
  offers: { texts: boolean; health: boolean };
  /** Where this environment is reached, without a slash at the end. Known once it listens. */
  addresses: { apiUrl: string; walletUrl: string };
  /** Whether a redirect may lead to this machine itself, as while developing. */
  loopbackRedirects: boolean;
  /** Whether any site may frame a brand that names none. */
  openFraming: boolean;
  /** Brands that the page of a fixed person shows: fixed people are everybody's, so their own pages show no customer's. */
  fixedPeopleShow: readonly string[];
  /** How much is texted and guessed at most. */
  caps: Caps;
  /** Tells the worker that a job was committed; forgetting it costs a second, nothing more. */
  wakeJobs(): void;
};

export type Brand = {
  uuid: string;
  customerUuid: string;
  name: string;
  settings: BrandSettings;
  settingsVersion: number;
  approvals: ReadonlySet<Approval>;
  mode: BrandMode;
};

/** What the operator lets a brand do: everything, reading only, or nothing at all. */
export type BrandMode = "active" | "readOnly" | "stopped";

/** On whose behalf something happens: a brand's, by its key, or for its person on a page (then without one). */
export type Caller = { brand: Brand; apiKeyUuid: string | null; requestId: string };

/** Deadline of one call to an outside source, milliseconds. */
export const sourceDeadlineMs = 10_000;
