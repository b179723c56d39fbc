import { type WebhookEventName, webhookEvents } from "@countersign/contract/webhook";
import { madeUpEvent } from "@countersign/contract/webhook-examples";
import { CopyBlock } from "../controls/copy.tsx";
import { Fold } from "../controls/fold.tsx";
import { Section } from "../controls/section.tsx";
import { webhookWords as say } from "./words-webhooks.ts";

const uuid = "7d7f3b1e-3c51-4a6c-9a7e-0d0f5b8f2c11";
const sentAt = Date.UTC(2026, 0, 2, 12);

/** Every event, with the body that a test sends. */
export function EventCatalog() {
  return (
    <div class="catalog">
      <Section id="catalog" title={say.catalog.title} lead={say.catalog.lead}>
        {webhookEvents.map((event) => (
          <Fold
            key={event}
            title={
              <span class="event-title">
                <code>{event}</code> <span class="quiet">{say.eventNames[event]}</span>
              </span>
            }
          >
            <CopyBlock title={say.catalog.example} language="text" text={exampleOf(event)} />
          </Fold>
        ))}
      </Section>
    </div>
  );
}

function exampleOf(event: WebhookEventName): string {
  return JSON.stringify(madeUpEvent(event, uuid, sentAt), null, 2);
}
