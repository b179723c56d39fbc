/** Commands for people who debug with a payer: write a 270, read a 271. */
import { readFile } from "node:fs/promises";
import { isTemporary, readCheck } from "../domain/health/answer.ts";
import { isFederalPayer, payersById } from "../domain/health/payers.ts";
import { rejectionText } from "../domain/health/x12/codes.ts";
import { compose270, personOf, type Request270 } from "../domain/health/x12/compose.ts";
import { type Eligibility, read271, readAnswer } from "../domain/health/x12/eligibility.ts";
import { explain } from "../domain/health/x12/explain.ts";
import type { SoughtPatient } from "../domain/health/x12/patient.ts";
import { type QuestionFile, readQuestion } from "../domain/health/x12/question-file.ts";
import { decodeX12, X12Error } from "../domain/health/x12/segments.ts";
import { bundledPayers } from "../providers/payers/directory.ts";
import { systemClock } from "../providers/system.ts";
import { command, exits } from "./arguments.ts";
import { safeLine, terminal, terminalSafe } from "./output.ts";

export const x12 = command("x12")
  .description("write and read X12 files, to debug with a payer")
  .addCommand(
    command("compose", "request.json")
      .description("print the 270 that the service would send, and on standard error what it left out and why")
      .argument("<file>", "a JSON file with `person`, and optionally `payer`, `provider`, `serviceTypeCodes`, `trace`")
      .action(exits(composeX12)),
  )
  .addCommand(
    command("parse", "answer.271", "answers/*.271", "--request request.json answer.271")
      .description("parse 271 responses and print one JSON line per file")
      .option("--request <file>", "the JSON file of `x12 compose`: reads the answers as answers to it")
      .argument("<files...>", "files with 271 responses")
      .action(exits(parseX12)),
  )
  .addCommand(
    command("explain", "answer.271")
      .description("print a response as a person reads it: a line per segment, with its codes in words")
      .argument("<file>", "a file with an X12 message")
      .action(exits(explainX12)),
  );

/** What a file need not name. */
const defaults = {
  payer: { name: "Example payer", id: "EXAMPLE" },
  provider: { name: "Example provider", npi: "1999999984" },
  trace: "EXAMPLE",
};

async function composeX12(file: string): Promise<number> {
  const question = await questionIn(file);
  if (question === null) return 1;
  const request = requestOf(question);
  for (const { detail, why } of personOf(request).leftOut) terminal.err(`${detail}: left out, because ${why}\n`);
  terminal.out(`${compose270(request)}\n`);
  return 0;
}

function requestOf({ payer = defaults.payer, provider = defaults.provider, ...question }: QuestionFile): Request270 {
  const [known] = payersById(bundledPayers(), payer.id);
  return {
    usage: "T",
    sender: "COUNTERSIGN",
    receiver: "CLEARINGHOUSE",
    controlNumber: 1,
    trace: question.trace ?? defaults.trace,
    at: systemClock.now(),
    payer: { ...payer, isFederal: known !== undefined && isFederalPayer(known) },
    provider,
    person: question.person,
    serviceTypeCodes: question.serviceTypeCodes ?? [],
    procedureCodes: [],
  };
}

/** Prints a line even for a body that is not a 271. Only an unreadable file causes exit code 1. */
async function parseX12(files: string[], { request }: { request?: string | undefined }): Promise<number> {
  const question = request === undefined ? undefined : await questionIn(request);
  if (question === null) return 1;
  const asked = question === undefined ? undefined : { ...question.person, ...traceOf(question) };
  let code = 0;
  for (const file of files) {
    const bytes = await bytesOf(file);
    if (bytes === null) code = 1;
    else terminal.out(`${terminalSafe(x12Line(file, bytes, asked))}\n`);
  }
  return code;
}

const traceOf = ({ trace }: QuestionFile) => (trace === undefined ? {} : { trace });

/** A question whose answer is read. */
type AskedQuestion = SoughtPatient & { lastName: string };

/**
 * The content of a file as one line of JSON: the parsed 271, or the kind of error. With a question, also what the
 * service makes of the answer.
 */
export function x12Line(file: string, bytes: Uint8Array, asked?: AskedQuestion): string {
  try {
    if (asked === undefined) {
      const { eligibility, rejections } = read271(bytes);
      return JSON.stringify({ file, eligibility, ...(rejections.length === 0 ? {} : { rejections }) });
    }
    return JSON.stringify({ file, ...answerTo(bytes, asked) });
  } catch (error) {
    if (!(error instanceof X12Error)) throw error;
    return JSON.stringify({ file, error: { kind: error.kind, message: error.message } });
  }
}

type Outcome = "plan" | "withheld" | "rejected";
type MeantRejection = Eligibility["rejections"][number] & { meaning: string };

function answerTo(
  bytes: Uint8Array,
  { trace = "", ...asked }: AskedQuestion,
): { eligibility: Eligibility["eligibility"]; outcome: Outcome; rejections: MeantRejection[]; isTemporary: boolean } {
  const { eligibility, rejections } = readAnswer(bytes, { ...asked, ...(trace === "" ? {} : { trace }) }).read;
  const answer = { kind: "answered" as const, x12: decodeX12(bytes) };
  const { kind } = readCheck(answer, asked, trace);
  return {
    eligibility,
    outcome: kind === "plan" || kind === "withheld" ? kind : "rejected",
    rejections: rejections.map((one) => ({ ...one, meaning: rejectionText(one.code) })),
    isTemporary: isTemporary(answer),
  };
}

async function explainX12(file: string): Promise<number> {
  const bytes = await bytesOf(file);
  if (bytes === null) return 1;
  try {
    terminal.out(
      explain(bytes)
        .map((line) => `${safeLine(line)}\n`)
        .join(""),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof X12Error)) throw error;
    terminal.err(`${file}: ${error.message}\n`);
    return 1;
  }
}

/** Null, after an error on standard error, if the file cannot be read. */
async function bytesOf(file: string): Promise<Uint8Array | null> {
  return await readFile(file).catch((error: Error) => {
    terminal.err(`${terminalSafe(file)}: ${error.message}\n`);
    return null;
  });
}

/** The question in a JSON file. Null, after errors on standard error, if the file has none. */
async function questionIn(file: string): Promise<QuestionFile | null> {
  const bytes = await bytesOf(file);
  if (bytes === null) return null;
  const read = readQuestion(new TextDecoder().decode(bytes));
  if ("question" in read) return read.question;
  for (const { path, message } of read.problems) terminal.err(`${path}: ${terminalSafe(message)}\n`);
  return null;
}
