import type { AccountBrand, AccountView, Share, SharedField } from "@countersign/contract/account";
import { consentTexts } from "@countersign/contract/consent";
import { useState } from "preact/hooks";
import { ConsentPiece, useConsent } from "../consent.tsx";
import { inlineTrouble, useLanguage } from "../language.tsx";
import { Notice } from "../status.tsx";
import { accountApi } from "./account-api.ts";
import { AccountFrame, useAccountWords } from "./account-frame.tsx";
import { dayText, hourText, timeText } from "./dates.ts";
import { BrandTag } from "./home.tsx";
import { Timeline } from "./timeline.tsx";
import { Values } from "./values.tsx";

type Props = {
  view: AccountView;
  brand: AccountBrand;
  said: string;
  onBack(): void;
  onView(view: AccountView, said: string): void;
  onCorrect(share: Share, field: SharedField): void;
  onOver(code: string): void;
};

/** One brand: what it can read, its timeline, and the button that stops the sharing. */
export function BrandScreen({ view, brand, said: done, onBack, onView, onCorrect, onOver }: Props) {
  const { say, language } = useAccountWords();
  const { uuid } = brand;
  const shares = view.shares.filter((one) => one.brandUuid === uuid);
  return (
    <AccountFrame step="brand" title={brand.name} said={done} isWide onBack={onBack}>
      <p class="lead">
        {say.brandLead(dayText(brand.firstAt, language))} <BrandTag brand={brand} />
      </p>
      <div class="columns">
        <div>
          <section aria-labelledby="shares">
            <h2 id="shares">{say.shareTitle}</h2>
            {brand.canRead ? null : <p class="missing">{say.nothingToRead}</p>}
            {shares.map((share) => (
              <ShareBox key={share.uuid} share={share} onCorrect={onCorrect} />
            ))}
          </section>
          {brand.canRead || !brand.stopped ? (
            <Stop brand={brand} onView={(next) => onView(next, say.stopDone(brand.name))} onOver={onOver} />
          ) : null}
        </div>
        <section aria-labelledby="timeline">
          <h2 id="timeline">{say.timelineTitle}</h2>
          <Timeline brand={uuid} view={view} onOver={onOver} />
        </section>
      </div>
    </AccountFrame>
  );
}

function ShareBox({ share, onCorrect }: { share: Share; onCorrect: Props["onCorrect"] }) {
  const { say, language } = useAccountWords();
  return (
    <article class="held">
      <h3 class="about">{say.sharedAt(timeText(share.sharedAt, language), hourText(share.readableUntil, language))}</h3>
      {share.fields.map((field) => (
        <Field
          key={`${field.key}:${field.values[0]?.text ?? ""}`}
          field={field}
          onCorrect={() => onCorrect(share, field)}
        />
      ))}
    </article>
  );
}

function Field({ field, onCorrect }: { field: SharedField; onCorrect(): void }) {
  const { say } = useAccountWords();
  const { words } = useLanguage();
  const method = field.verificationMethod === null ? undefined : say.method[field.verificationMethod];
  const name = words.labels[field.key] ?? field.title;
  return (
    <div class="field-held">
      <Values values={field.values} />
      {method === undefined ? null : <p class="about">{method}</p>}
      {field.correctable.length === 0 ? null : (
        <button type="button" class="link" onClick={onCorrect}>
          {say.correct(name)}
        </button>
      )}
    </div>
  );
}

type StopProps = { brand: { uuid: string; name: string }; onView(view: AccountView): void; onOver(code: string): void };

function Stop({ brand, onView, onOver }: StopProps) {
  const { words } = useLanguage();
  const { pieces, shown } = useConsent(consentTexts.stop);
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const stop = async () => {
    if (isBusy) return;
    setBusy(true);
    const outcome = await accountApi.stopSharing({ params: { uuid: brand.uuid }, body: { consent: shown } });
    setBusy(false);
    if (outcome.kind === "ok") return onView(outcome.value);
    if (outcome.trouble.code === "OVER") return onOver("OVER");
    setTrouble(inlineTrouble(words, outcome.trouble.code));
  };
  return (
    <section aria-labelledby="stop">
      <h2 id="stop" class="hidden">
        <ConsentPiece piece={pieces.button} brand={brand.name} />
      </h2>
      <p class="quiet" id="stop-text" data-consent>
        <ConsentPiece piece={pieces.text} brand={brand.name} />
      </p>
      <Notice text={trouble} />
      <button
        type="button"
        class={`button grave ${isBusy ? "busy" : ""}`}
        aria-describedby="stop-text"
        data-consent
        onClick={() => void stop()}
      >
        <ConsentPiece piece={pieces.button} brand={brand.name} />
      </button>
    </section>
  );
}
