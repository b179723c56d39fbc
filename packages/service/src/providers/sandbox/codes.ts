import type { CodeMaker, Random } from "../../domain/ports.ts";
import { sandboxCode, sandboxPerson } from "./people.ts";

/** The known code for fixed test people, who get no texts, and six random digits for all other phones. */
export function sandboxCodes(random: Random): CodeMaker {
  return {
    make: (phone) => (sandboxPerson(phone) ? sandboxCode : String(random.integer(1_000_000)).padStart(6, "0")),
  };
}
