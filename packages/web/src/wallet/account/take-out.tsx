/** "Take this with you": adds credentials from us and from brands to the person's own wallet app. */

import { inSentence, valueName } from "@countersign/contract/names";
import type { TakenOut, Takeouts } from "@countersign/contract/takeout";
import { useEffect, useState } from "preact/hooks";
import { encode } from "uqr";
import type { Trouble } from "../api.ts";
import { CallButton } from "../call-button.tsx";
import { actionTrouble, useLanguage } from "../language.tsx";
import { DetailIcon } from "../screens/review-row.tsx";
import { Notice } from "../status.tsx";
import { accountApi, type Offered } from "./account-api.ts";
import { AccountFrame, useAccountWords } from "./account-frame.tsx";
import { dayText, hourText } from "./dates.ts";

type Props = { onBack(): void; onOver(code: string): void };
type Item = { key: string; name: string; note?: string; body: { own: Takeouts["own"][number] } | { issued: string } };

/** The credentials that can be taken out, and those that were. An open offer replaces the list. */
export function TakeOutScreen({ onBack, onOver }: Props) {
  const { words } = useLanguage();
  const { say, language } = useAccountWords();
  const [view, setView] = useState<Takeouts>();
  const [offer, setOffer] = useState<{ name: string; offered: Offered }>();
  const [busy, setBusy] = useState<string>();
  const [trouble, setTrouble] = useState<string>();
  const [said, setSaid] = useState("");
  const load = async () => {
    const outcome = await accountApi.listTakeouts();
    if (outcome.kind === "ok") setView(outcome.value);
    else onOver(outcome.trouble.code);
  };
  useEffect(() => void load(), []);
  const fail = ({ code }: Trouble) => {
    if (code === "OVER") return onOver(code);
    const why = { OCE013: say.takeOutNone, BUSY: say.takeOutBusy }[code];
    setTrouble(why ?? actionTrouble(words, code));
  };
  const begin = async ({ name, body }: Item) => {
    setTrouble(undefined);
    setSaid("");
    setBusy(name);
    const outcome = await accountApi.takeOut({ body });
    setBusy(undefined);
    if (outcome.kind === "ok") setOffer({ name, offered: outcome.value });
    else fail(outcome.trouble);
  };
  const withdraw = async (uuid: string, name: string) => {
    setTrouble(undefined);
    setSaid("");
    const outcome = await accountApi.withdrawTakeout({ params: { uuid } });
    if (outcome.kind === "trouble") return fail(outcome.trouble);
    setView(outcome.value);
    setSaid(say.withdrawn(name));
  };
  if (offer !== undefined)
    return (
      <Offer
        {...offer}
        onDone={() => {
          setOffer(undefined);
          void load();
        }}
      />
    );
  const own = (view?.own ?? []).map((kind): Item => ({ key: keys[kind], name: say.kinds[kind], body: { own: kind } }));
  const issued = (view?.issued ?? []).map(
    ({ uuid, key, title, issuer }): Item => ({
      key,
      name: valueName(key, title, language),
      note: say.takenBy(issuer),
      body: { issued: uuid },
    }),
  );
  return (
    <AccountFrame step="takeOut" title={say.takeOutTitle} said={said} onBack={onBack}>
      <p class="lead">{say.takeOutText}</p>
      <Notice text={trouble} />
      <Items title={say.takeOutKinds} items={own} busy={busy} onBegin={begin} />
      {issued.length === 0 ? null : <Items title={say.takeOutIssued} items={issued} busy={busy} onBegin={begin} />}
      {view === undefined ? null : (
        <section aria-labelledby="taken">
          <h2 id="taken">{say.takenTitle}</h2>
          {view.taken.length === 0 ? <p class="missing">{say.takenNone}</p> : null}
          {view.taken.map((one) => (
            <Taken key={one.uuid} one={one} onWithdraw={withdraw} />
          ))}
        </section>
      )}
    </AccountFrame>
  );
}

/** The details that we issue, by the names that the review has for them. */
const keys = { phone: "phone", name: "fullName", birthdate: "birthDate", address: "address" } as const;

type ItemsProps = { title: string; items: Item[]; busy: string | undefined; onBegin(item: Item): Promise<void> };

function Items({ title, items, busy, onBegin }: ItemsProps) {
  const { words } = useLanguage();
  return (
    <section>
      <h2>{title}</h2>
      <ul class="list plain">
        {items.map((item) => (
          <li key={item.name}>
            <CallButton
              class="row open pictured"
              busy={busy === item.name ? words.working : undefined}
              isHeld={busy !== undefined}
              onClick={() => void onBegin(item)}
            >
              <DetailIcon fieldKey={item.key} />
              <span class="who">{item.name}</span>
              {item.note === undefined ? null : <span class="about">{item.note}</span>}
            </CallButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

type TakenProps = { one: TakenOut; onWithdraw(uuid: string, name: string): Promise<void> };

function Taken({ one, onWithdraw }: TakenProps) {
  const { say, language } = useAccountWords();
  const name = valueName(one.key, one.title, language);
  const isValid = one.state === "valid";
  return (
    <article class="held">
      <h3 class="titled">
        {name}
        <span class={`tag ${isValid ? "live" : ""}`}>{say.takenStates[one.state]}</span>
      </h3>
      <p class="about">
        {one.issuer === undefined ? "" : `${say.takenBy(one.issuer)} · `}
        {say.takenOn(dayText(one.takenAt, language), dayText(one.expiresAt, language))}
      </p>
      {isValid ? (
        <button
          type="button"
          class="link"
          aria-label={say.withdrawWhat(inSentence(name))}
          onClick={() => void onWithdraw(one.uuid, name)}
        >
          {say.withdraw}
        </button>
      ) : null}
    </article>
  );
}

/** Shows the QR code first and then the six digits, so someone who photographs one screen has only half. */
function Offer({ name, offered, onDone }: { name: string; offered: Offered; onDone(): void }) {
  const { say, language } = useAccountWords();
  const [isCodeShown, setCodeShown] = useState(false);
  // A phone cannot scan its own screen, so its wallet app comes first.
  const [isPhone] = useState(() => !matchMedia("(hover: hover) and (pointer: fine)").matches);
  if (isCodeShown)
    return (
      <AccountFrame step="offerCode" title={say.codeTitle} onBack={() => setCodeShown(false)}>
        <p class="offer-code digits">{offered.transactionCode}</p>
        <p>{say.codeText(hourText(offered.expiresAt, language))}</p>
        <div class="actions">
          <button type="button" class="button main" onClick={onDone}>
            {say.done}
          </button>
        </div>
      </AccountFrame>
    );
  return (
    <AccountFrame step="offer" title={say.offerTitle(inSentence(name))} onBack={onDone}>
      <p class="lead">{isPhone ? say.offerTextPhone : say.offerText}</p>
      {isPhone ? null : <Picture text={offered.offer} label={say.offerPicture} />}
      <div class="actions">
        {isPhone ? (
          <a class="button main" href={offered.offer}>
            {say.offerOpen}
          </a>
        ) : null}
        <button type="button" class={isPhone ? "button" : "button main"} onClick={() => setCodeShown(true)}>
          {say.offerCode}
        </button>
        {isPhone ? null : (
          <a class="button" href={offered.offer}>
            {say.offerOpen}
          </a>
        )}
      </div>
      {isPhone ? (
        <details class="other-device">
          <summary>{say.offerElsewhere}</summary>
          <Picture text={offered.offer} label={say.offerPicture} />
        </details>
      ) : null}
    </AccountFrame>
  );
}

/** A QR code. It is dark on light in every theme, because cameras expect that. */
function Picture({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return (
    <svg class="offer-picture" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}
