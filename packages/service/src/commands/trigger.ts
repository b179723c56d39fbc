import { webhookEvents } from "@countersign/contract/listener";
import { exits, oneOf } from "./arguments.ts";
import { type ControlOptions, controlCommand, controlProblem, openControl } from "./control.ts";

export const trigger = controlCommand("trigger")
  .description("send a test event to a brand's webhooks; exit with 1 if it has none")
  .argument("<event>", webhookEvents.join(", "), oneOf(webhookEvents))
  .action(exits(triggerEvent));

async function triggerEvent(event: (typeof webhookEvents)[number], options: ControlOptions): Promise<number> {
  const { api, brand, calls } = await openControl(options);
  try {
    const { body } = await calls.triggerEvent({ body: { ...brand, event } });
    process.stdout.write(`${JSON.stringify({ event, ...body })}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(controlProblem(error, api));
    return 1;
  }
}
