import type { CodeMaker, Random } from "../../domain/ports.ts";
import { sandboxCode, sandboxPerson } from "./people.ts";

/** The known code for fixed people, to whom nothing is sent, and six random digits for everybody else. */
export function sandboxCodes(random: Random): CodeMaker {
  return {
    make: (phone) => (sandboxPerson(phone) ? sandboxCode : String(random.integer(1_000_000)).padStart(6, "0")),
  };
}
