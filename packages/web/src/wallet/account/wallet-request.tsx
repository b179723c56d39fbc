/** A wallet app requests what the person offered to it: the authorization code flow of OpenID4VCI. */
import { consentTexts } from "@countersign/contract/consent";
import { valueInSentence } from "@countersign/contract/names";
import { walletNameOf } from "@countersign/contract/wallet-name";
import { useEffect, useState } from "preact/hooks";
import { CallButton } from "../call-button.tsx";
import { ConsentPiece, useConsent } from "../consent.tsx";
import { actionTrouble, useLanguage } from "../language.tsx";
import { Notice } from "../status.tsx";
import { accountApi, type OfferedItem } from "./account-api.ts";
import { AccountFrame, useAccountWords } from "./account-frame.tsx";

export type WalletRequest = { uuid: string; clientId: string; redirectUri: string; challenge: string; state?: string };

const mark = "#wallet?";

/**
 * The request of the wallet app that opened this page, without personal values. Null if there is none. It stays in the
 * URL until the person is done, because phones may reload the page while the person looks up the code in another app.
 */
export function requestInAddress(): WalletRequest | null {
  const { hash } = window.location;
  if (!hash.startsWith(mark)) return null;
  const given = new URLSearchParams(hash.slice(mark.length));
  const text = (name: string) => given.get(name) ?? "";
  const state = given.get("state");
  if (!URL.canParse(text("redirect_uri"))) return null;
  return {
    uuid: text("issuer_state"),
    clientId: text("client_id"),
    redirectUri: text("redirect_uri"),
    challenge: text("code_challenge"),
    ...(state === null ? {} : { state }),
  };
}

export function forgetRequest(): void {
  window.history.replaceState(window.history.state, "", window.location.pathname);
}

type Props = { request: WalletRequest; onDone(): void; onOver(code: string): void };

/** Asks whether the wallet app may have the credential. Both answers return to the app. */
export function WalletRequestScreen({ request, onDone, onOver }: Props) {
  const { words } = useLanguage();
  const { say, language } = useAccountWords();
  const [item, setItem] = useState<OfferedItem | "gone">();
  const [busy, setBusy] = useState<"allow" | "refuse">();
  const [trouble, setTrouble] = useState<string>();
  const [continueAt, setContinueAt] = useState<string>();
  const { pieces, shown } = useConsent(consentTexts.addToWallet);
  const { uuid, ...app } = request;
  useEffect(() => {
    void accountApi.readOffer({ params: { uuid } }).then((outcome) => {
      if (outcome.kind === "ok") setItem(outcome.value);
      else if (outcome.trouble.code === "OVER") onOver("OVER");
      else setItem("gone");
    });
  }, []);
  const answer = async (allow: boolean) => {
    setTrouble(undefined);
    setBusy(allow ? "allow" : "refuse");
    const outcome = await accountApi.answerWallet({ params: { uuid }, body: { ...app, allow, consent: shown } });
    setBusy(undefined);
    if (outcome.kind === "ok") {
      setContinueAt(outcome.value.continueAt);
      window.location.assign(outcome.value.continueAt);
    } else if (outcome.trouble.code === "OVER") onOver("OVER");
    else setTrouble(actionTrouble(words, outcome.trouble.code));
  };
  if (item === undefined) return <AccountFrame step="loading" title={words.loading} children={null} />;
  if (item === "gone")
    return (
      <AccountFrame step="walletRequest" title={say.walletGoneTitle}>
        <p class="lead">{say.walletGoneText}</p>
        <div class="actions">
          <button type="button" class="button main" onClick={onDone}>
            {say.goHome}
          </button>
        </div>
      </AccountFrame>
    );
  if (continueAt !== undefined)
    return (
      <AccountFrame step="walletRequest" title={say.walletReturnTitle}>
        <div class="actions">
          <a class="button main" href={continueAt}>
            {say.offerOpen}
          </a>
        </div>
      </AccountFrame>
    );
  return (
    <AccountFrame step="walletRequest" title={say.walletAsks(valueInSentence(item, language))}>
      <p class="lead" data-consent>
        <ConsentPiece piece={pieces.tells} />{" "}
        <strong>
          <ConsentPiece piece={pieces.wallet} brand={walletNameOf(request.redirectUri)} />
        </strong>
      </p>
      <p data-consent>
        <ConsentPiece piece={pieces.warning} />
      </p>
      {item.issuer === undefined ? null : <p class="about">{say.takenBy(item.issuer)}</p>}
      <Notice text={trouble} />
      <div class="actions">
        <CallButton
          class="button main"
          data-consent
          busy={busy === "allow" ? words.working : undefined}
          isHeld={busy !== undefined}
          onClick={() => void answer(true)}
        >
          <ConsentPiece piece={pieces.button} />
        </CallButton>
        <CallButton
          class="button"
          busy={busy === "refuse" ? words.working : undefined}
          isHeld={busy !== undefined}
          onClick={() => void answer(false)}
        >
          {say.walletRefuse}
        </CallButton>
      </div>
    </AccountFrame>
  );
}
