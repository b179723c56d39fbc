/** What the page of the sandbox's test wallet lists, and how it answers. */
import { addressText } from "../people.ts";
import { type SecretOf, testStates } from "./authority.ts";
import { answerAsHolder, type HolderMistake, holderMistakes, UnreadableRequest } from "./holder.ts";
import { testStateIds } from "./test-ids.ts";

/** What an ID is for, by its key. The others belong to people whom no test phone has. */
const notes: Readonly<Record<string, string>> = {
  california: "Agrees with the sources.",
  moved: "Has moved: another address than the sources’.",
  renamed: "Another last name than the sources’.",
};

type Chosen = {
  id: string;
  mistake: string | null;
  request: { protocol: string; data: Record<string, unknown> };
  origin: string;
};

const dayText = (day: string) => day.replace(/^(\d{4})-(\d\d)-(\d\d)$/, "$2/$3/$1");

/** The IDs of test people, and the mistakes that an answer can have. */
export const listedStateIds = {
  ids: testStateIds.map(({ id, state, firstName, lastName, birthDate, address }) => ({
    key: id,
    name: `${firstName} ${lastName}`,
    state: testStates[state],
    says: `${notes[id] ?? "Another person than the phone’s."} Born ${dayText(birthDate)}. ${addressText(address)}`,
  })),
  mistakes: Object.entries(holderMistakes).map(([key, says]) => ({ key, says })),
};

/** `now`: Unix milliseconds of the sandbox's clock. */
export function sandboxTestWallet({ secretOf, now }: { secretOf: SecretOf; now(): number }) {
  return {
    ...listedStateIds,
    /** Null if the request cannot be read. */
    async answer({ id, mistake, request, origin }: Chosen) {
      const stateId = testStateIds.find((one) => one.id === id);
      if (stateId === undefined) throw new Error(`no test ID ${id}`);
      const input = { secretOf, stateId, mistake: mistakeOf(mistake), origin, now: now(), request };
      return await answerAsHolder(input).catch((error: unknown) => {
        if (error instanceof UnreadableRequest) return null;
        throw error;
      });
    },
  };
}

function mistakeOf(name: string | null): HolderMistake | undefined {
  return Object.keys(holderMistakes).find((one): one is HolderMistake => one === name);
}
