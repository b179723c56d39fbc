/** `countersign listen`: receives a brand's webhooks on a machine that is not reachable from outside. */
import { ApiError } from "@countersign/contract/client";
import { type Forward, forwardErrors } from "@countersign/contract/listener";
import { invalid } from "../domain/failure.ts";
import type { OutboundAnswer } from "../domain/ports.ts";
import { deliveryTimeoutMs } from "../domain/webhook/request.ts";
import { ownOutbound, type Sender } from "../providers/outbound.ts";
import { systemTimer } from "../providers/timer.ts";
import { exits, untilInterrupted } from "./arguments.ts";
import { type Control, type ControlOptions, controlCommand, controlProblem, openControl } from "./control.ts";
import { safeLine, terminalSafe } from "./output.ts";

/** How long to wait after a failed request, and how many failures in a row end the command. */
const againMs = 1_000;
/** How many characters of the receiver's response are shown. */
const responseMax = 500;
const troublesMax = 30;

type Listening = { control: Control; uuid: string; forward: string; sender: Sender; say(line: Line): void };
type Line = {
  event: string;
  delivery: string;
  attempt: number;
  httpStatus?: number;
  error?: string;
  /** The beginning of the receiver's response. */
  response?: string;
  durationMs: number;
};

export const listen = controlCommand("listen", "--forward http://localhost:9000/hook")
  .description("receive a brand's webhooks on this machine until Ctrl-C")
  .requiredOption("--forward <url>", "the URL that receives the events, on any host that this machine reaches")
  .action(exits(receive));

type ListenOptions = ControlOptions & { forward: string; json?: true | undefined };

/** Runs until it is interrupted, and returns 0. Returns 1 if the sandbox refuses or can no longer be reached. */
async function receive({ forward, json, ...options }: ListenOptions): Promise<number> {
  const sender = ownOutbound({ textMax: responseMax });
  const problem = sender.judge(forward);
  if (problem !== null) throw invalid([{ path: "--forward", message: problem }]);
  const control = await openControl(options);
  const interrupted = untilInterrupted();
  try {
    const { body: made } = await control.calls.createListener({ body: { ...control.brand, forward } });
    const { uuid, brand, signingSecret } = made;
    const asJson = json === true;
    process.stdout.write(
      asJson
        ? `${terminalSafe(JSON.stringify({ listening: uuid, brand, forward, signingSecret }))}\n`
        : `Forwarding events of brand ${safeLine(brand)} to ${forward}. Press Ctrl-C to stop.\nSigning secret: ${safeLine(signingSecret)}\n`,
    );
    const say = (line: Line) =>
      void process.stdout.write(`${asJson ? terminalSafe(JSON.stringify(line)) : lineText(line)}\n`);
    return await keepListening({ control, uuid, forward, sender, say }, interrupted);
  } catch (error) {
    process.stderr.write(controlProblem(error, control.api));
    return 1;
  } finally {
    await sender.close();
  }
}

function lineText({ event, attempt, httpStatus, error, response, durationMs }: Line): string {
  const attemptNote = attempt === 1 ? "" : ` (attempt ${attempt})`;
  const answer = response === undefined ? "" : `\n  ${safeLine(response)}`;
  const isRefused = httpStatus === 400 || httpStatus === 401;
  const help = isRefused
    ? "Does your receiver use the signing secret above?"
    : error === "certificate not valid"
      ? "Set NODE_EXTRA_CA_CERTS to the file of your development certificate authority."
      : null;
  const hint = help === null ? "" : `\n  ${help}`;
  return `${safeLine(event)}${attemptNote}  ${httpStatus ?? error} in ${durationMs} ms${answer}${hint}`;
}

async function keepListening(listening: Listening, signal: AbortSignal): Promise<number> {
  const { calls, callsUntil, api } = listening.control;
  const waiting = callsUntil(signal);
  const params = { uuid: listening.uuid };
  const inFlight = new Set<Promise<void>>();
  let code = 0;
  for (let troubles = 0; !signal.aborted; ) {
    try {
      const { body } = await waiting.takeForwards({ params });
      troubles = 0;
      for (const one of body.data) {
        const forwarded: Promise<void> = forwardOne(listening, one).finally(() => inFlight.delete(forwarded));
        inFlight.add(forwarded);
      }
    } catch (error) {
      if (signal.aborted) break;
      troubles += 1;
      const isRefused = error instanceof ApiError && error.status < 500 && error.status !== 429;
      if (isRefused || troubles >= troublesMax) {
        process.stderr.write(controlProblem(error, api));
        code = 1;
        break;
      }
      await systemTimer.pause(againMs);
    }
  }
  await Promise.allSettled(inFlight);
  // Best effort: the service considers a silent listener absent after a minute, and deletes it later.
  await calls.deleteSandboxWebhook({ params }).catch(() => {});
  return code;
}

/** Sends the event to the local URL as the service would have sent it, and reports the result. */
async function forwardOne({ control, uuid, forward, sender, say }: Listening, one: Forward): Promise<void> {
  const { delivery, event, attempt, headers, body } = one;
  const answer = await sender.post({ url: forward, headers, body, timeoutMs: deliveryTimeoutMs });
  const result = resultOf(answer);
  const response = answer.kind === "answered" && answer.text ? { response: answer.text } : {};
  say({ event, delivery, attempt, ...result, ...response });
  await control.calls
    .answerForward({ params: { uuid }, body: { delivery, ...result } })
    .catch((error: unknown) => process.stderr.write(controlProblem(error, control.api)));
}

function resultOf(
  answer: OutboundAnswer,
): Pick<Line, "httpStatus" | "durationMs"> & { error?: (typeof forwardErrors)[number] } {
  const { durationMs } = answer;
  if (answer.kind === "answered") return { httpStatus: answer.status, durationMs };
  return { error: forwardErrors.find((known) => known === answer.error) ?? "connection failed", durationMs };
}
