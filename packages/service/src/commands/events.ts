/** Commands about webhook events. */
import type { Delivery } from "@countersign/contract/webhook";
import { command, exits, uuid } from "./arguments.ts";
import { type ControlOptions, controlCommand, controlProblem, openControl } from "./control.ts";
import { type Format, print, terminal } from "./output.ts";

const example = "7c1f6e0d-9a21-4b86-8f4a-5f0c2a529d3e";
const argument = ["<delivery>", "the delivery's UUID, as `countersign trigger` and the dashboard show it"] as const;

export const events = command("events")
  .description("show the attempts at an event of a sandbox, and send it again")
  .addCommand(
    controlCommand("show", example)
      .description("show each attempt at an event, and what the receiver answered")
      .argument(...argument, uuid)
      .action(exits(show)),
  )
  .addCommand(
    controlCommand("resend", example)
      .description("send an event again, to the same webhook, with a new timestamp and signature")
      .argument(...argument, uuid)
      .action(exits(resend)),
  );

async function show(delivery: string, { json, ...options }: ControlOptions & Format): Promise<number> {
  const { api, calls } = await openControl(options);
  try {
    const { body } = await calls.readDelivery({ params: { uuid: delivery } });
    return print(body.attempts.map(lineOf), { json });
  } catch (error) {
    terminal.err(controlProblem(error, api));
    return 1;
  }
}

function lineOf({ at, httpStatus, error, durationMs, answer }: Delivery["attempts"][number]) {
  return { at: new Date(at).toISOString(), result: httpStatus ?? error ?? "", durationMs, answer: answer ?? "" };
}

async function resend(delivery: string, { json, ...options }: ControlOptions & Format): Promise<number> {
  const { api, calls } = await openControl(options);
  try {
    await calls.replayDelivery({ params: { uuid: delivery } });
    return print({ delivery, status: "pending" }, { json });
  } catch (error) {
    terminal.err(controlProblem(error, api));
    return 1;
  }
}
