import type { AccountBrand, AccountView, Share, SharedField } from "@countersign/contract/account";
import { firstLetter } from "@countersign/contract/monogram";
import { inSentence, valueName } from "@countersign/contract/names";
import { sourceText } from "@countersign/contract/record-words";
import { useLanguage } from "../language.tsx";
import { Problem } from "../status.tsx";
import { AccountFrame, useAccountWords } from "./account-frame.tsx";
import { dayText, hourText, timeText } from "./dates.ts";
import { BrandTag, useReveal } from "./home.tsx";
import { Stop, stoppedText } from "./stop.tsx";
import { Timeline } from "./timeline.tsx";
import { Values } from "./values.tsx";

type Props = {
  view: AccountView;
  brand: AccountBrand;
  said: string;
  onBack(): void;
  /** Asks for the proof that full values need. */
  onShow(): void;
  onView(view: AccountView, said: string): void;
  onCorrect(share: Share, field: SharedField): void;
  onOver(code: string): void;
};

/** One brand: what it can read, its timeline, and a button that stops sharing. */
export function BrandScreen({ view, brand, said: done, onBack, onShow, onView, onCorrect, onOver }: Props) {
  const { say, language } = useAccountWords();
  const { uuid } = brand;
  const shares = view.shares.filter((one) => one.brandUuid === uuid);
  const reveal = useReveal({ view, onShow, onView, onOver });
  return (
    <AccountFrame step="brand" title={brand.name} letter={firstLetter(brand.name)} said={done} isWide onBack={onBack}>
      <p class="lead titled">
        <BrandTag brand={brand} />
        <span>{say.brandLead(dayText(brand.firstAt, language))}</span>
      </p>
      <div class="columns">
        <div>
          <section aria-labelledby="shares">
            <div class="headed">
              <h2 id="shares">{say.shareTitle(brand.name)}</h2>
              {shares.length === 0 ? null : reveal.button("link")}
            </div>
            <Problem text={reveal.trouble} />
            {brand.canRead ? null : (
              <p class="missing">
                {say.nothingToRead} {done === "" ? say.keptCopies(brand.name) : null}
              </p>
            )}
            {shares.map((share) => (
              <ShareBox key={share.uuid} brand={brand.name} share={share} onCorrect={onCorrect} />
            ))}
            {brand.insuranceUntil === undefined ? null : (
              <article class="held">
                <h3 class="about">{say.insuranceUntil(brand.name, hourText(brand.insuranceUntil, language))}</h3>
                <div class="field-held">{say.insuranceDetails}</div>
              </article>
            )}
          </section>
          {brand.canRead || !brand.stopped ? (
            <Stop brand={brand} onView={(next) => onView(next, stoppedText(say, brand.name))} onOver={onOver} />
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

type ShareProps = { brand: string; share: Share; onCorrect: Props["onCorrect"] };

function ShareBox({ brand, share, onCorrect }: ShareProps) {
  const { say, language } = useAccountWords();
  return (
    <article class="held">
      <h3 class="about">
        {say.sharedAt(brand, timeText(share.sharedAt, language), hourText(share.readableUntil, language))}
      </h3>
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
  const { words } = useLanguage();
  const { language } = useAccountWords();
  const source = sourceText(field, language);
  const name = valueName(field.key, field.title, language);
  return (
    <div class="field-held">
      <div>
        <Values credential={field} />
        {source === "" ? null : <p class="about">{source}</p>}
      </div>
      {field.correctable.length === 0 ? null : (
        <button type="button" class="link" onClick={onCorrect}>
          {words.edit}
          <span class="hidden"> {inSentence(name)}</span>
        </button>
      )}
    </div>
  );
}
