import { webhookEvents } from "@countersign/contract/listener";
import { oneOf, type Values } from "./arguments.ts";
import { controlProblem, openControl } from "./control.ts";

/** `countersign trigger EVENT`: sends a test event to each of a brand's webhooks. Exits with 1 if there are none. */
export async function trigger(values: Values, [word]: string[]): Promise<number> {
  const event = oneOf(webhookEvents, word, "EVENT");
  const { api, brand, calls } = await openControl(values);
  try {
    const { body } = await calls.triggerEvent({ body: { ...brand, event } });
    process.stdout.write(`${JSON.stringify({ event, ...body })}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(controlProblem(error, api));
    return 1;
  }
}
