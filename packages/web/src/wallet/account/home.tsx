import type { AccountBrand, AccountView, Card } from "@countersign/contract/account";
import { consentTexts } from "@countersign/contract/consent";
import { firstLetter } from "@countersign/contract/monogram";
import { valueInSentence } from "@countersign/contract/names";
import { rowsOf } from "@countersign/contract/record-words";
import { Download, MonitorSmartphone, Trash2, UserRoundPlus, WalletCards } from "lucide";
import { useState } from "preact/hooks";
import { Icon, type IconNode } from "../../ui/icon.tsx";
import { CallButton } from "../call-button.tsx";
import { useConsent } from "../consent.tsx";
import { actionTrouble, useLanguage } from "../language.tsx";
import { Problem } from "../status.tsx";
import { Masked } from "../values.tsx";
import { accountApi } from "./account-api.ts";
import { AccountFrame, useAccountWords } from "./account-frame.tsx";
import { ConsentMap } from "./consent-map.tsx";
import { dayText, hourText } from "./dates.ts";
import { Timeline } from "./timeline.tsx";
import { Text, Values } from "./values.tsx";

export type Place = "proof" | "takeOut" | "download" | "devices" | "delete" | "newHolder";
type Props = {
  view: AccountView;
  said: string;
  onOpen(place: Place): void;
  onBrand(uuid: string): void;
  onView(view: AccountView, said: string): void;
  onOver(code: string): void;
};

/** Number of timeline entries that the overview shows at first. */
const shownOnHome = 3;

/** The overview: the brands, the person's data, and the latest events. */
export function HomeScreen({ view, said, onOpen, onBrand, onView, onOver }: Props) {
  const { say } = useAccountWords();
  return (
    <AccountFrame step="home" title={say.homeTitle} said={said} isWide>
      <p class="lead">
        {say.signedInAs} <Masked text={view.phone} />
      </p>
      <Reveal view={view} onShow={() => onOpen("proof")} onView={onView} onOver={onOver} />
      <div class="columns">
        <div>
          <section aria-labelledby="brands">
            <h2 id="brands">{say.brandsTitle}</h2>
            {view.brands.length === 0 ? <p class="missing">{say.noBrands}</p> : null}
            <ConsentMap view={view} onOpen={onBrand} onView={onView} onOver={onOver} />
            <ul class="list plain">
              {view.brands.map((brand) => (
                <li key={brand.uuid}>
                  <BrandRow brand={brand} view={view} onOpen={() => onBrand(brand.uuid)} />
                </li>
              ))}
            </ul>
          </section>
          <section aria-labelledby="cards">
            <h2 id="cards">{say.cardsTitle}</h2>
            {view.cards.length === 0 ? <p class="missing">{say.noCards}</p> : <p class="about">{say.cardsText}</p>}
            {view.cards.map((card) => (
              <CardBox key={card.uuid} card={card} />
            ))}
          </section>
        </div>
        <div>
          <section aria-labelledby="hands">
            <h2 id="hands">{say.handsTitle}</h2>
            <DataActions view={view} onOpen={onOpen} />
          </section>
          <section aria-labelledby="timeline">
            <h2 id="timeline">{say.timelineTitle}</h2>
            <Timeline view={view} first={shownOnHome} onOver={onOver} />
          </section>
        </div>
      </div>
    </AccountFrame>
  );
}

type RevealProps = { view: AccountView; onShow(): void } & Pick<Props, "onView" | "onOver">;

/** The button that shows the full values after a proof, or hides them again. `trouble`: why it did not work. */
export function useReveal({ view, onShow, onView, onOver }: RevealProps) {
  const { words } = useLanguage();
  const { say } = useAccountWords();
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string>();
  const isHidden = view.provenUntil === undefined;
  const hide = async () => {
    setTrouble(undefined);
    setBusy(true);
    const outcome = await accountApi.hideValues();
    setBusy(false);
    if (outcome.kind === "ok") return onView(outcome.value, "");
    if (outcome.trouble.code === "OVER") return onOver("OVER");
    setTrouble(actionTrouble(words, outcome.trouble.code));
  };
  const button = (look: "button" | "link") => (
    <CallButton
      class={look}
      busy={isBusy ? words.working : undefined}
      onClick={() => (isHidden ? onShow() : void hide())}
    >
      {isHidden ? say.showValues : say.hideValues}
    </CallButton>
  );
  return { button, trouble };
}

function Reveal(props: RevealProps) {
  const { say, language } = useAccountWords();
  const { button, trouble } = useReveal(props);
  const { provenUntil } = props.view;
  return (
    <>
      <div class="reveal">
        <p role="status">
          {provenUntil === undefined ? say.hiddenText : say.shownText(hourText(provenUntil, language))}
        </p>
        {button("button")}
      </div>
      <Problem text={trouble} />
    </>
  );
}

function BrandRow({ brand, view, onOpen }: { brand: AccountBrand; view: AccountView; onOpen(): void }) {
  const { say, language } = useAccountWords();
  const shares = view.shares.filter((one) => one.brandUuid === brand.uuid);
  // If a value was shared twice, the later end applies.
  const untilOf = new Map<string, number>();
  for (const { fields, readableUntil } of shares)
    for (const field of fields) {
      const name = valueInSentence(field, language);
      untilOf.set(name, Math.max(readableUntil, untilOf.get(name) ?? 0));
    }
  if (brand.insuranceUntil !== undefined) untilOf.set(say.insurance, brand.insuranceUntil);
  const namesUntil = new Map<string, string[]>();
  for (const [name, until] of untilOf) {
    const time = hourText(until, language);
    namesUntil.set(time, [...(namesUntil.get(time) ?? []), name]);
  }
  return (
    <button type="button" class="row open pictured" onClick={onOpen}>
      <span class="tile" data-letter={firstLetter(brand.name)} aria-hidden="true" />
      <span class="who">{brand.name}</span>
      <BrandTag brand={brand} />
      {[...namesUntil].map(([time, names]) => (
        <span key={time} class="about">
          {say.canReadUntil(new Intl.ListFormat(language).format(names), time)}
        </span>
      ))}
      {brand.reads === 0 ? null : <span class="about">{say.reads(brand.reads)}</span>}
      <span class="about">{say.lastOn(dayText(brand.lastAt, language))}</span>
    </button>
  );
}

export function BrandTag({ brand }: { brand: AccountBrand }) {
  const { say } = useAccountWords();
  const text = brand.canRead ? say.canRead : brand.stopped ? say.stopped : say.cannotRead;
  return <span class={`tag ${brand.canRead ? "live" : ""}`}>{text}</span>;
}

function CardBox({ card }: { card: Card }) {
  const { say, language } = useAccountWords();
  const { issuer, status, toEmail, issuedAt, expiresAt, title } = card;
  const [first, ...more] = rowsOf(card, language);
  return (
    <article class="held issued">
      <h3 class="titled">
        {first !== undefined && more.length === 0 ? first.title : title}
        <span class={`tag ${status === "valid" ? "live" : ""}`}>{say.status[status]}</span>
      </h3>
      {first !== undefined && more.length === 0 ? (
        <p class="value">
          <Text value={first} />
        </p>
      ) : (
        <Values credential={card} />
      )}
      <p class="about">
        {say.issuedBy(issuer, dayText(issuedAt, language))}
        {toEmail ? ` ${say.toEmail}` : ""}
        {expiresAt === undefined
          ? ""
          : ` · ${(status === "expired" ? say.expiredOn : say.expiresOn)(dayText(expiresAt, language))}`}
      </p>
    </article>
  );
}

function DataActions({ view, onOpen }: Pick<Props, "view" | "onOpen">) {
  const { say } = useAccountWords();
  const { pieces: handingOver } = useConsent(consentTexts.handOver);
  const places: [Place, IconNode, string][] = [
    ["takeOut", WalletCards, say.takeOutTitle],
    ["download", Download, say.downloadTitle],
    ["devices", MonitorSmartphone, say.devicesTitle],
    ...(view.fixed ? [] : ([["newHolder", UserRoundPlus, handingOver.title]] satisfies [Place, IconNode, string][])),
    ["delete", Trash2, view.fixed ? say.resetTitle : say.deleteTitle],
  ];
  return (
    <ul class="list plain">
      {places.map(([place, icon, text]) => (
        <li key={place}>
          <button
            type="button"
            class={`row open pictured ${place === "delete" ? "grave" : ""}`}
            onClick={() => onOpen(place)}
          >
            <span class="tile">
              <Icon node={icon} />
            </span>
            <span class="who">{text}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
