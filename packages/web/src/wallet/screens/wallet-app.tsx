import { useState } from "preact/hooks";
import { api, bySession } from "../api.ts";
import { CallButton } from "../call-button.tsx";
import { useHost } from "../host.ts";
import { actionTrouble, useLanguage } from "../language.tsx";
import { Problem } from "../status.tsx";

/**
 * Lets a wallet app on this device add what is missing. It returns to this browser, so a page that an attacker forwards
 * never gets the person's details. Not available in a frame, because the wallet app could not return to it.
 */
export function WalletApp({ session, page }: { session: string; page: string | null }) {
  const { words } = useLanguage();
  const { embedded } = useHost();
  const [request, setRequest] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  if (embedded || page === null) return null;
  const begin = async () => {
    setTrouble(undefined);
    setBusy(true);
    const outcome = await api.beginPresentation({ ...bySession(session), body: { page } });
    setBusy(false);
    if (outcome.kind === "ok") return setRequest(outcome.value.request);
    const { code } = outcome.trouble;
    setTrouble(code === "BROKEN" ? words.walletAppNone : actionTrouble(words, code));
  };
  if (request !== undefined)
    return (
      <div class="other">
        <p class="about">{words.walletAppText}</p>
        <a class="button" href={request}>
          {words.walletAppOpen}
        </a>
      </div>
    );
  return (
    <div class="other">
      <CallButton class="link" busy={isBusy ? words.working : undefined} onClick={() => void begin()}>
        {words.walletApp}
      </CallButton>
      <Problem text={trouble} />
    </div>
  );
}
