import { webhookEvents } from "@countersign/contract/webhook";
import { exits, oneOf } from "./arguments.ts";
import { type ControlOptions, controlCommand, controlProblem, openControl } from "./control.ts";
import { type Format, print, terminal } from "./output.ts";

export const trigger = controlCommand(
  "trigger",
  "1-click.health.lookup",
  "1-click.health.lookup --brand b0000000-0000-4000-8000-000000000001",
)
  .description("send a test event to a brand's webhooks; exit with 1 if it has none")
  .argument("<event>", webhookEvents.join(", "), oneOf(webhookEvents))
  .action(exits(triggerEvent));

async function triggerEvent(
  event: (typeof webhookEvents)[number],
  { json, ...options }: ControlOptions & Format,
): Promise<number> {
  const { api, brand, calls } = await openControl(options);
  try {
    const { body } = await calls.triggerEvent({ body: { ...brand, event } });
    return print({ event, ...body }, { json });
  } catch (error) {
    terminal.err(controlProblem(error, api));
    return 1;
  }
}
