import { consentTexts } from "@countersign/contract/consent";
import { useConsent } from "../consent.tsx";
import { useLanguage } from "../language.tsx";
import { Press } from "../press.tsx";

type Props = { brand: string; running: "share" | "decline" | null; onDecline(): void };

/** The button that declines, and what the brand gets nevertheless. */
export function Decline({ brand, running, onDecline }: Props) {
  const { words } = useLanguage();
  const { pieces } = useConsent(consentTexts.decline);
  return (
    <>
      <Press
        class="button"
        aria-describedby="declining"
        busy={running === "decline" ? words.working : undefined}
        isHeld={running !== null}
        onClick={onDecline}
      >
        {pieces.button}
      </Press>
      <p class="fine" id="declining">
        {words.declinedText(brand)}
      </p>
    </>
  );
}
