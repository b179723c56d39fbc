import { CommanderError } from "commander";
import { countersign } from "./commands/commands.ts";
import { problemLines } from "./commands/problems.ts";
import { ConfigProblems } from "./config/config.ts";
import { Failure } from "./domain/failure.ts";
import { NoneStarted } from "./processes/none-started.ts";
import { DataDirInUse } from "./store/embedded/data-dir.ts";
import { isDatabaseOutage, isUnanswered, Unavailable } from "./store/outage.ts";

/** Exit codes of sysexits.h: wrong usage, unavailable, resource in use, wrong configuration. */
const exitUsage = 64;
const exitUnavailable = 69;
const exitInUse = 75;
const exitConfig = 78;
/** The exit code that shells report for a command ended by SIGPIPE. */
const exitPipe = 141;

/** Commander's codes for refused values. They exit with 1, like values that the service refuses. */
const refusedValues = new Set(["invalidArgument", "missingArgument", "missingMandatoryOptionValue", "error"]);

/** How to continue after a change whose commit got no answer. */
const unconfirmed =
  "The database did not confirm the change in time, because no standby confirms commits: the change may or may not " +
  "have been made. When a standby is connected, look for it with `countersign audit changes` and the command that " +
  "lists what you changed. Revoke a key, or make a link again, whose secret you did not see.\n";

function report(error: unknown): number {
  // Commander has already printed its message.
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    return refusedValues.has(error.code.replace("commander.", "")) ? 1 : exitUsage;
  }
  if (error instanceof ConfigProblems) {
    process.stderr.write(`Invalid configuration:\n${error.problems.map((one) => `  - ${one}\n`).join("")}`);
    return exitConfig;
  }
  if (error instanceof DataDirInUse) {
    process.stderr.write(`${error.message}\nStop that process, or set DATA_DIR to another folder.\n`);
    return exitInUse;
  }
  if (error instanceof NoneStarted) {
    process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
  if (error instanceof Failure) {
    const { errors } = error.data;
    process.stderr.write(errors === undefined ? `${error.message}\n` : `Refused:\n${problemLines(errors)}`);
    return 1;
  }
  if (error instanceof Error && "syscall" in error && ["listen", "bind"].includes(String(error.syscall))) {
    process.stderr.write(
      `${error.message}: set API_PORT, WALLET_PORT, DASHBOARD_PORT, OPERATOR_PORT, PRODUCTION_API_PORT or PRODUCTION_WALLET_PORT to a free port, or to 0 to use any free port.\n`,
    );
    return exitInUse;
  }
  if (error instanceof Unavailable) {
    process.stderr.write(`${error.message}\n`);
    return exitUnavailable;
  }
  if (isUnanswered(error)) {
    process.stderr.write(unconfirmed);
    return exitUnavailable;
  }
  if (error instanceof Error && isDatabaseOutage(error) && !isOfFile(error)) {
    const reasons = error instanceof AggregateError ? error.errors.map(String).join(", ") : error.message;
    process.stderr.write(`Cannot use the database of DATABASE_URL now: ${reasons}\n`);
    return exitUnavailable;
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}

/** Whether an error is about a file: it has the same code as a missing socket of the database. */
function isOfFile(error: Error): boolean {
  return "code" in error && error.code === "ENOENT" && "syscall" in error && error.syscall !== "connect";
}

// A reader such as `head` may close the pipe early. End as a C program would.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(exitPipe);
});
try {
  await countersign.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}
