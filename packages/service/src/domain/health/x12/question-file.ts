import { Day, stringEnum, t } from "@countersign/contract/primitives";
import type { Static } from "typebox";
import type { Problem } from "../../failure.ts";
import { isNpi } from "../../npi.ts";
import { compileCheck } from "../../validate.ts";
import { hasLetter, latinWords, memberIdMin, memberIdOf } from "./compose.ts";

const Text = t.String({ minLength: 1, maxLength: 200 });
/** The file of a person who debugs a check: what a 270 contains. */
const QuestionFile = t.Object({
  payer: t.Optional(t.Object({ name: Text, id: Text })),
  provider: t.Optional(t.Object({ npi: Text, name: Text, type: t.Optional(stringEnum("individual", "organization")) })),
  person: t.Object({
    firstName: t.Optional(Text),
    middleName: t.Optional(Text),
    lastName: Text,
    birthDate: t.Optional(Day),
    sex: t.Optional(t.String()),
    ssn: t.Optional(t.String()),
    memberId: t.Optional(Text),
    address: t.Optional(
      t.Object({
        line1: t.Optional(t.String()),
        line2: t.Optional(t.String()),
        city: t.Optional(t.String()),
        state: t.Optional(t.String()),
        zipCode: t.Optional(t.String()),
      }),
    ),
  }),
  serviceTypeCodes: t.Optional(t.Array(t.String({ pattern: "^[A-Za-z0-9]{1,3}$" }), { maxItems: 99 })),
  trace: t.Optional(t.String({ minLength: 1, maxLength: 50 })),
});
export type QuestionFile = Static<typeof QuestionFile>;

const check = compileCheck(QuestionFile, "request");

/** Reads a file. A question that the API would refuse is refused here too. */
export function readQuestion(text: string): { question: QuestionFile } | { problems: Problem[] } {
  let value: unknown;
  try {
    // Null means the same as leaving a member out, as in the API.
    value = JSON.parse(text, (_name, member: unknown) => member ?? undefined);
  } catch {
    return { problems: [{ path: "request", message: "Use JSON." }] };
  }
  if (!isQuestion(value)) return { problems: check(value) };
  const problems = unsendable(value);
  return problems.length > 0 ? { problems } : { question: value };
}

function isQuestion(value: unknown): value is QuestionFile {
  return check(value).length === 0;
}

function unsendable({ person, provider }: QuestionFile): Problem[] {
  const problems: Problem[] = [];
  for (const part of ["firstName", "lastName"] as const) {
    const name = person[part];
    if (name !== undefined && !hasLetter(name)) problems.push({ path: `request.person.${part}`, message: latinWords });
  }
  if (person.memberId !== undefined && memberIdOf(person.memberId).length < memberIdMin)
    problems.push({ path: "request.person.memberId", message: "Use at least two letters or digits." });
  if (provider !== undefined && !isNpi(provider.npi))
    problems.push({ path: "request.provider.npi", message: "Use a valid NPI: the check digit of this one is wrong." });
  return problems;
}
