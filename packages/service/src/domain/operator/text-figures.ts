/** Texts as the console shows them: what each carrier delivered, alarms, and whether one number opted out. */
import type { CarrierTexts, ConsoleTexts } from "@countersign/contract/console-texts";
import { dayMs } from "@countersign/contract/time";
import type { AccountDeps, HomeDeps } from "../deps.ts";
import { alarmKeptMs } from "../verification/limits/conversion-alarm-rows.ts";
import { personAtPhone, recordLook } from "./person-record.ts";
import { type CountedTexts, countStops, findStop, listEveryAlarm, listTextResults } from "./text-figures-rows.ts";

const reasonsMax = 6;
const carriersMax = 50;

/** The texts of today and of the days before it, `days` in all. Days are in UTC. */
export async function readTexts(homeDeps: HomeDeps, days: number): Promise<ConsoleTexts> {
  const { environment, clock, home } = homeDeps;
  const now = clock.now();
  const today = Math.floor(now / dayMs) * dayMs;
  const since = today - (days - 1) * dayMs;
  const databases = homeDeps.cells.all().map(({ db }) => db);
  const [counted, stops, alarms] = await Promise.all([
    Promise.all(databases.map((db) => listTextResults(db, { environment, since }))),
    Promise.all(databases.map((db) => countStops(db, environment))),
    listEveryAlarm(home, { environment, since: now - alarmKeptMs }),
  ]);
  const results = counted.flat();
  const dates = Array.from({ length: days }, (_, index) => since + index * dayMs);
  const ofCarrier = ([carrier, own]: [string, CountedTexts[]]): CarrierTexts => ({
    carrier: carrier === "" ? null : carrier,
    ...deliveryOf(own),
    days: dates.map((at) => {
      const { delivered, failed } = deliveryOf(own.filter(({ day }) => day === at));
      return { at, delivered, failed };
    }),
  });
  const ended = results.filter(({ outcome }) => outcome !== "accepted");
  const carriers = [...groupedBy(ended, ({ carrier }) => carrier)].map(ofCarrier);
  const nameOf = ({ carrier }: CarrierTexts) => carrier ?? "\u{10ffff}";
  carriers.sort((a, b) => b.failed - a.failed || b.delivered - a.delivered || (nameOf(a) < nameOf(b) ? -1 : 1));
  const routes = [...groupedBy(results, ({ route }) => route)].map(([route, own]) => ({
    route,
    accepted: sum(own.filter(({ outcome }) => outcome === "accepted")),
    ...deliveryOf(own),
  }));
  return {
    carriers: carriers.slice(0, carriersMax),
    routes: routes.sort((a, b) => (a.route < b.route ? -1 : 1)),
    stopped: stops.reduce((all, count) => all + count, 0),
    alarms,
  };
}

function deliveryOf(results: readonly CountedTexts[]) {
  const failed = results.filter(({ outcome }) => outcome === "failed");
  const reasons = [...groupedBy(failed, ({ reason }) => reason)].map(([reason, own]) => ({ reason, texts: sum(own) }));
  return {
    delivered: sum(results.filter(({ outcome }) => outcome === "delivered")),
    failed: sum(failed),
    reasons: reasons.sort((a, b) => b.texts - a.texts).slice(0, reasonsMax),
  };
}

const sum = (results: readonly CountedTexts[]) => results.reduce((all, { texts }) => all + texts, 0);

function groupedBy(results: readonly CountedTexts[], name: (one: CountedTexts) => string) {
  const groups = new Map<string, CountedTexts[]>();
  for (const one of results) groups.set(name(one), [...(groups.get(name(one)) ?? []), one]);
  return groups;
}

/** Records the look, and then returns whether the number opted out of texts. */
export async function lookAtStop(deps: AccountDeps, homeDeps: HomeDeps, typed: string) {
  const { phone, cell, person } = await personAtPhone(homeDeps, typed);
  await recordLook(deps, homeDeps, "stop.viewed", person?.uuid);
  const { environment, db, vault } = cell;
  return await findStop(db, { environment, phoneIndex: vault.index("phone", environment, phone) });
}
