import { RollBack, type Trx } from "../../store/database.ts";
import { batched } from "../../store/statements/batch.ts";
import { type ConsentGiven, consentRow } from "../audit/consent.ts";
import { insertConsents } from "../audit/consent-rows.ts";
import { insertEarnings } from "../audit/ledger-rows.ts";
import { auditRow, recordAudits } from "../audit/record.ts";
import type { Caller, Deps } from "../deps.ts";
import { fail } from "../failure.ts";
import { earningsOf, issuersOf } from "../issuance/earnings.ts";
import { journeys } from "../journey.ts";
import { findPeople, type Person } from "../person.ts";
import { lockPeopleForKeyShare } from "../person-rows.ts";
import { queueDelivery } from "../webhook/publish.ts";
import { entityOf } from "./entity.ts";
import { publishSignup, type SignupReceivers, signupReceivers } from "./events.ts";
import {
  isOfFormerHolder,
  type OneClick,
  type OneClickFacts,
  oneClickLifeMs,
  type StoredOneClick,
} from "./one-click.ts";
import { findOneClick, lockOpenOneClicks, saveReleased } from "./one-click-rows.ts";

const sharedEvent = "1-click.signup.shared";

/** Releases the data to the brand. If another call has ended the 1-Click first, returns what that call stored. */
export async function release(
  deps: Deps,
  caller: Caller,
  oneClick: OneClick,
  consent: ConsentGiven,
): Promise<StoredOneClick> {
  const released = await releaseTogether(deps, { caller, oneClick, consent });
  if (released !== null) return released;
  const ended = await findOneClick(deps, deps.db, caller, oneClick.uuid);
  const isDecided = ended?.state === "released" || ended?.state === "declined";
  const isOver = ended?.state === "refused" || (isDecided && journeys[oneClick.journey].answers === "later");
  if (ended === null || !isOver) throw fail("OCE015", {});
  return ended;
}

type ToRelease = { caller: Caller; oneClick: OneClick; consent: ConsentGiven };

/**
 * Releases the 1-Clicks of a batch in one transaction: first the 1-Clicks, then all records about them. Null for those
 * that have ended, lost their proof or got a new holder while their sources were asked; the others are released without
 * them.
 */
const releaseTogether = batched(
  async (deps: Deps, all: readonly ToRelease[]): Promise<(StoredOneClick | null)[]> => {
    let open = all;
    let holdersChanged = 0;
    while (open.length > 0) {
      const tried = await tryRelease(deps, open);
      if (!(tried instanceof RollBack)) {
        const released = new Map(tried.map((oneClick) => [oneClick.uuid, oneClick]));
        return all.map(({ oneClick }) => released.get(oneClick.uuid) ?? null);
      }
      const { ended, former } = tried.why;
      if (former.size > 0) holdersChanged += 1;
      // A phone got a new holder after the person was read. The second try reads the new one.
      const without = holdersChanged > 1 ? new Set([...ended, ...former]) : ended;
      open = open.filter(({ oneClick }) => !without.has(oneClick.uuid));
    }
    return all.map(() => null);
  },
  ({ oneClick }) => oneClick.uuid,
);

/** The uuids of 1-Clicks that have ended, and of those whose person no longer has the phone. */
type Unreleased = { ended: ReadonlySet<string>; former: ReadonlySet<string> };

async function tryRelease(deps: Deps, all: readonly ToRelease[]): Promise<StoredOneClick[] | RollBack<Unreleased>> {
  const people = await findPeople(
    deps,
    all.map(({ oneClick }) => oneClick.facts.phone),
  );
  const issuers = await issuersOf(
    deps,
    all.map(({ caller, oneClick }) => ({ by: caller, given: oneClick.facts.credentials })),
  );
  const receivers = await signupReceivers(
    deps,
    all.map(({ caller }) => caller.brand),
    sharedEvent,
  );
  return await deps.db.inTransaction(async (trx) => {
    const personOf = people.kind === "stored" ? people.personOf : await people.ensure(trx);
    const releases = all.map((one) => releaseOf(deps, one, personOf(one.oneClick.facts.phone)));
    const uuidsOf = (some: readonly Release[]) => new Set(some.map(({ oneClick }) => oneClick.uuid));
    const toOthers = releases.filter(({ oneClick, person }) => isOfFormerHolder(oneClick, person));
    if (toOthers.length > 0) return new RollBack({ ended: uuidsOf(toOthers), former: new Set<string>() });
    const personUuids = releases.map(({ person }) => person.uuid);
    // Lock people before 1-Clicks, as a withdrawal and a deletion do. A concurrent one then either finds this release
    // or prevents it.
    const [holders, saved] = await Promise.all([lockPeopleForKeyShare(trx, personUuids), saveAll(deps, trx, releases)]);
    const former = releases.filter(({ person }) => !holders.has(person.uuid));
    const ended = releases.filter((one) => !former.includes(one) && !saved.has(one.oneClick.uuid));
    if (former.length + ended.length > 0) return new RollBack({ ended: uuidsOf(ended), former: uuidsOf(former) });
    const write = () => writeRecords(deps, trx, releases, { issuers, receivers });
    // A delivery takes more statements, one after the other.
    const delivers = receivers.size > 0 || releases.some(({ oneClick, caller }) => isPushed(oneClick, caller));
    await (delivers ? write() : trx.last(write));
    return releases.map(({ oneClick }) => oneClick);
  });
}

type Release = ReturnType<typeof releaseOf>;

/** Locks existing 1-Clicks, because another call may decide them, and saves those that are still open. */
async function saveAll(deps: Deps, trx: Trx, releases: readonly Release[]): Promise<Set<string>> {
  const isStored = ({ oneClick }: Release) => journeys[oneClick.journey].answers === "later";
  const stored = releases.filter(isStored).map(({ oneClick }) => oneClick.uuid);
  const open = await lockOpenOneClicks(deps, trx, stored);
  const ready = releases.filter((one) => !isStored(one) || open.has(one.oneClick.uuid));
  return await saveReleased(deps, trx, ready);
}

function releaseOf(deps: Deps, { caller, oneClick, consent }: ToRelease, person: Person) {
  const released: StoredOneClick = {
    ...oneClick,
    state: "released",
    refusal: null,
    personUuid: person.uuid,
    createdAt: deps.clock.now(),
    expiresAt: oneClick.reusedUntil ?? deps.clock.now() + oneClickLifeMs,
  };
  return { caller, brand: caller.brand, person, consent, oneClick: released };
}

/** Writes the records of releases: consents, audit entries, earnings and deliveries. */
async function writeRecords(
  deps: Deps,
  trx: Trx,
  releases: readonly Release[],
  { issuers, receivers }: { issuers: ReadonlySet<string>; receivers: SignupReceivers },
): Promise<void> {
  const earnings = releases.flatMap(({ caller, oneClick }) =>
    earningsOf(deps, issuers, {
      by: caller,
      given: oneClick.facts.credentials,
      personUuid: oneClick.personUuid,
      oneClickUuid: oneClick.uuid,
    }),
  );
  const consents = releases.map(({ caller, oneClick, consent }) =>
    consentRow(deps, caller, {
      action: "share",
      phone: oneClick.facts.phone,
      personUuid: oneClick.personUuid,
      oneClickUuid: oneClick.uuid,
      given: consent,
    }),
  );
  const audits = releases.map(({ caller, oneClick: { uuid, personUuid, facts } }, at) =>
    auditRow(deps, caller, {
      action: "oneClick.released",
      personUuid,
      oneClickUuid: uuid,
      detail: {
        types: facts.credentials.map((one) => one.request.type),
        consent: consents[at]?.uuid ?? "",
        word: purposeOf(caller, facts),
        brandName: caller.brand.settings.externalName,
      },
    }),
  );
  await Promise.all([
    insertConsents(trx, consents),
    recordAudits(trx, audits),
    insertEarnings(deps, trx, earnings),
    ...releases.filter(({ oneClick, caller }) => isPushed(oneClick, caller)).map((one) => push(deps, trx, one)),
    ...(receivers.size === 0 ? [] : releases.map((one) => announce(deps, trx, receivers, one))),
  ]);
}

async function announce(deps: Deps, trx: Trx, receivers: SignupReceivers, { brand, person, oneClick }: Release) {
  const about = { brandUuid: brand.uuid, uuid: oneClick.uuid, dataKey: person.dataKey };
  await publishSignup(deps, trx, receivers, { event: sharedEvent, ...about });
}

/** The purpose after "1-Click", such as "Signup". */
export function purposeOf({ brand }: Caller, { page }: Pick<OneClickFacts, "page">): string {
  return page?.title ?? brand.settings.styling.oneClickWord;
}

/** Whether the released data is also sent to the receiver in the brand's settings. */
function isPushed({ journey }: OneClick, { brand }: Caller): boolean {
  return journeys[journey].pushed && brand.settings.v1.push !== null;
}

/** Queues the released data for the receiver. The payload equals the result of a read. */
async function push(deps: Deps, trx: Trx, { brand, person, oneClick }: Release): Promise<void> {
  await queueDelivery(deps, trx, {
    brandUuid: brand.uuid,
    endpointUuid: null,
    event: "user.credentials.push",
    subjectUuid: oneClick.uuid,
    dataKey: person.dataKey,
    body: {
      type: "user.credentials.push",
      timestamp: new Date(deps.clock.now()).toISOString(),
      data: { uuid: oneClick.uuid, ...entityOf(brand, oneClick) },
    },
  });
}
