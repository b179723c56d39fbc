/** Selects the cell of a request, and makes the dependencies of each cell. */
import { isUuid } from "@countersign/contract/primitives";
import { cellOfToken, cellOfUuid, randomOf, slotOf } from "../domain/cell-number.ts";
import type { Cells, Deps, HomeDeps } from "../domain/deps.ts";
import type { Phone } from "../domain/ports.ts";
import type { CellEntry } from "../store/cells/cell-rows.ts";
import { holdsIssued, holdsUuid, knowsPerson } from "../store/cells/held-rows.ts";
import { cellMarkHash, cellOfSlot, refuseUnreachable } from "./cell-stores.ts";

/** The dependencies of one cell. Getters read values that are set later. */
export function depsOf(
  homeDeps: HomeDeps,
  { number, db, ownKeyed }: Pick<Deps, "db" | "ownKeyed"> & { number: number },
  { worker, listed }: Pick<CellsOptions, "listed"> & { worker(): Deps["worker"] },
): Deps {
  return {
    ...homeDeps,
    get cells() {
      return homeDeps.cells;
    },
    get worker() {
      return worker();
    },
    db,
    random: randomOf(number, homeDeps.random, cellMarkHash(homeDeps.vault)),
    ownKeyed,
    takesNew: (index) => cellOfSlot(listed(), slotOf(index)) === number,
  };
}

type CellsOptions = {
  /** The dependencies of each open cell, by its number. Cell 0 is the first one. */
  open: ReadonlyMap<number, Deps>;
  /** All cells but the first one. */
  listed(): readonly CellEntry[];
};

export function composeCells(homeDeps: HomeDeps, { open, listed }: CellsOptions): Cells {
  const { vault, environment } = homeDeps;
  const opened = (number: number): Deps => open.get(number) ?? refuseUnreachable();
  const hashOf = cellMarkHash(vault);
  const isListed = (number: number) => listed().some((cell) => cell.number === number);
  /** With a single cell, no hash is needed to find it. */
  const isOnlyCell = () => listed().length === 0;
  const ofSlot = (slot: number) => cellOfSlot(listed(), slot);
  /** The cell of a person. Cell 0 keeps people who were stored before another cell got their slot. */
  const ofPerson = async (kind: "phone" | "email", index: Buffer) => {
    const number = ofSlot(slotOf(index));
    const cell = opened(number);
    if (number === 0) return cell;
    const first = opened(0);
    const knows = ({ db }: Deps) => knowsPerson(db, { environment, kind, index });
    // Always query both cells, so that the response time does not reveal whether the phone is known. If the first cell
    // has the person, ignore the other answer, even a failure.
    const [inCell, inFirst] = await Promise.allSettled([knows(cell), knows(first)]);
    if (inCell.status === "rejected") throw inCell.reason;
    if (inCell.value) return cell;
    if (inFirst.status === "rejected") throw inFirst.reason;
    return inFirst.value ? first : cell;
  };
  /**
   * The first cell (other than cell 0) that has the row; otherwise cell 0. Answers 503 if no reachable cell has it and
   * one is unreachable.
   */
  const firstWith = async (has: (cell: Deps) => Promise<boolean>): Promise<Deps> => {
    if (isOnlyCell()) return opened(0);
    const numbers = [...listed().map(({ number }) => number), 0];
    const reachable = numbers.flatMap((number) => open.get(number) ?? []);
    const asked = await Promise.allSettled(reachable.map(has));
    const found = reachable.find((_, at) => asked[at]?.status === "fulfilled" && asked[at].value);
    if (found !== undefined) return found;
    if (reachable.length < numbers.length) refuseUnreachable();
    for (const answer of asked) if (answer.status === "rejected") throw answer.reason;
    return opened(0);
  };
  const ofPhone = async (phone: Phone) =>
    isOnlyCell() ? opened(0) : await ofPerson("phone", vault.index("phone", environment, phone));
  return {
    async ofUuid(uuid) {
      // The uuid may not be validated yet, and the database rejects a text that is not one.
      if (isOnlyCell() || !isUuid(uuid)) return opened(0);
      const number = cellOfUuid(hashOf, uuid);
      // A uuid of cell 0 can end with any number.
      return isListed(number) && (await holdsUuid(opened(number).db, uuid)) ? opened(number) : opened(0);
    },
    async ofMoved(uuid) {
      const found = await firstWith(({ db, random }) => holdsUuid(db, random.moved(uuid)));
      return { cell: found, uuid: found === open.get(0) ? uuid : found.random.moved(uuid) };
    },
    async ofIssued(id, brandUuid) {
      // The id comes from an unvalidated path, and the database rejects a text that is not a uuid.
      return isUuid(id)
        ? await firstWith(({ db }) => holdsIssued(db, { environment, ids: [id], brandUuid }))
        : opened(0);
    },
    async issuedElsewhere(here, ids, brandUuid) {
      if (ids.length === 0) return false;
      const others = [...open.values()].filter(({ db }) => db !== here.db);
      const answers = await Promise.allSettled(
        others.map(({ db }) => holdsIssued(db, { environment, ids, brandUuid })),
      );
      return answers.some((answer) => answer.status === "fulfilled" && answer.value);
    },
    ofToken(token) {
      const number = isOnlyCell() ? 0 : cellOfToken(hashOf, token);
      return opened(isListed(number) ? number : 0);
    },
    ofPhone,
    ofEmail: (index) => ofPerson("email", index),
    ofText: (text) => opened(isOnlyCell() ? 0 : ofSlot(slotOf(vault.keyedHash("cell", text)))),
    all: () => [opened(0), ...listed().map(({ number }) => opened(number))],
  };
}
