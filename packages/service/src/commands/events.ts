/** Commands about the events that webhooks receive. */
import { command, exits, uuid } from "./arguments.ts";
import { type ControlOptions, controlCommand, controlProblem, openControl } from "./control.ts";
import { type Format, print, terminal } from "./output.ts";

export const events = command("events")
  .description("send events of a sandbox again")
  .addCommand(
    controlCommand("resend", "7c1f6e0d-9a21-4b86-8f4a-5f0c2a529d3e")
      .description("send an event again, to the same webhook, with a new timestamp and signature")
      .argument("<delivery>", "the delivery's UUID, as `countersign trigger` and the dashboard show it", uuid)
      .action(exits(resend)),
  );

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
