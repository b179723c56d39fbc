import { consentTexts } from "@countersign/contract/consent";
import type { BrandLook } from "@countersign/contract/wallet";
import { CallButton } from "../call-button.tsx";
import { useConsent } from "../consent.tsx";
import { useLanguage } from "../language.tsx";

type Props = { running: "share" | "decline" | null; onDecline(): void };

/** The button that declines at a review. `StillGets` describes it. */
export function Decline({ running, onDecline }: Props) {
  const { words } = useLanguage();
  const { pieces } = useConsent(consentTexts.decline);
  return (
    <CallButton
      class="button"
      aria-describedby="declining"
      busy={running === "decline" ? words.working : undefined}
      isHeld={running !== null}
      onClick={onDecline}
    >
      {pieces.button}
    </CallButton>
  );
}

/** What the brand gets even if the person declines. */
export function StillGets({ brand }: { brand: BrandLook }) {
  const { words } = useLanguage();
  return (
    <p class="fine" id="declining">
      {words.stillGets[brand.anyway](brand.name)}
    </p>
  );
}
