import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isRecord } from "../api/client.ts";
import { Icon } from "./icons.tsx";
import { codeIn, typeInto } from "./person.ts";
import { brands } from "./scenarios.ts";
import { useScrollable } from "./scrollable.ts";
import { movesLittle } from "./timeline.ts";
import type { Direction, Touch } from "./use-direction.ts";
import type { End, Text, Visit } from "./visit.ts";

type Props = {
  visit: Visit;
  /** The phone's screen. */
  place: RefObject<HTMLElement | null>;
  direction: Direction;
  onBegin(place: Element): void;
};

/** A phone with the brand's page. The wallet opens in the page, in a frame of the real SDK. */
export function Phone({ visit, place, direction, onBegin }: Props) {
  const { scenario, screen, end, texts } = visit;
  const frame = useRef<HTMLDivElement>(null);
  useScrollable(place);
  // The brand's last page begins at its top, wherever the wallet was scrolled to.
  useLayoutEffect(() => {
    if (screen === "end" && place.current !== null) place.current.scrollTop = 0;
  }, [screen]);
  const brand = brands[scenario.brand];
  const text = direction.walletStep === "verificationCode" ? texts.at(-1) : undefined;
  const begin = () => {
    if (frame.current !== null) onBegin(frame.current);
  };
  return (
    <div class={`device ${scenario.brand}`}>
      <div class="glass">
        <div class="phone-bar" aria-hidden="true">
          <span>{brand.name.toLowerCase().replace(" ", "")}.example</span>
        </div>
        <article class="brand-page" ref={place} aria-label={`The page of ${brand.name}`}>
          <p class="brand-name">
            <span class="brand-mark" aria-hidden="true">
              {brand.name[0]}
            </span>
            {brand.name}
          </p>
          {screen === "start" ? <Start {...{ brand }} onBegin={begin} /> : null}
          {screen === "end" && end !== undefined ? (
            <Ending end={end} welcome={brand.welcome} button={brand.create} />
          ) : null}
          <div class="frame" ref={frame} hidden={screen !== "wallet"} />
          <Finger touch={direction.touch} scroller={place} />
        </article>
        {text === undefined ? null : <Bubble key={text.id} text={text} place={place} />}
      </div>
    </div>
  );
}

type Brand = (typeof brands)[keyof typeof brands];

function Start({ brand, onBegin }: { brand: Brand; onBegin(): void }) {
  return (
    <div class="welcome">
      <Picture kind={brand.kind} />
      <h2>{brand.title}</h2>
      <p>{brand.lead}</p>
      <button type="button" class="begin" onClick={onBegin}>
        <Icon name="phone" />
        {brand.button}
      </button>
      <p class="quiet">No form to fill in</p>
    </div>
  );
}

/** A drawn bank card, or a drawn patient card. */
function Picture({ kind }: { kind: Brand["kind"] }) {
  return (
    <svg class="picture" viewBox="0 0 320 170" aria-hidden="true">
      <rect class="back" x="46" y="14" width="228" height="132" rx="16" />
      <rect class="front" x="24" y="30" width="228" height="132" rx="16" />
      {kind === "bank" ? (
        <path
          class="lines"
          d="M48 62h34v24H48zM48 78h34M65 62v24M48 118h92M48 138h52M196 108a14 14 0 1 0 0.1 0M214 108a14 14 0 1 0 0.1 0"
        />
      ) : (
        <path class="lines" d="M72 60v44M50 82h44M120 66h100M120 86h70M48 128h92M48 144h52" />
      )}
    </svg>
  );
}

/** A text that drops in, with a button that fills in its code. */
function Bubble({ text, place }: { text: Text; place: RefObject<HTMLElement | null> }) {
  const code = codeIn(text.body);
  const fill = () => {
    const input = place.current?.querySelector("iframe")?.contentDocument?.querySelector<HTMLInputElement>("#code");
    if (code === undefined || input === null || input === undefined || input.readOnly) return;
    input.value = "";
    void typeInto(input, code, movesLittle());
  };
  return (
    <div class="bubble">
      <p class="from">{text.from}</p>
      <p>{text.body}</p>
      {code === undefined ? null : (
        <button type="button" onClick={fill}>
          Fill in {code}
        </button>
      )}
    </div>
  );
}

/** The brand's page after the wallet: the account with what its server read, or the brand's own form. */
function Ending({ end, welcome, button }: { end: End; welcome: string; button: string }) {
  const { isOpen, credentials, phone, insurance } = end;
  if (!isOpen)
    return (
      <div class="welcome">
        <h2>Tell us about you</h2>
        <p>Please fill in our form.</p>
        {phone === undefined ? null : (
          <p class="drawn-field known">
            <span>Phone, verified</span>
            {textOf("phone", phone)}
          </p>
        )}
        {["Full name", "Email", ...(phone === undefined ? ["Phone"] : [])].map((label) => (
          <p key={label} class="drawn-field">
            {label}
          </p>
        ))}
        <p class="drawn-button">{button}</p>
      </div>
    );
  return (
    <div class="welcome">
      <span class="tick" aria-hidden="true">
        <Icon name="done" />
      </span>
      <h2>{welcome}</h2>
      <dl>
        {[...detailsOf(credentials), ...(insurance === undefined ? [] : [["Insurance", insurance]])].map(
          ([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </div>
  );
}

const names: Readonly<Record<string, string>> = {
  fullName: "Name",
  address: "Address",
  birthDate: "Birthday",
  ssn: "SSN",
  email: "Email",
  phone: "Phone",
};

/** The details as the brand's page shows them, with the SSN masked. */
function detailsOf(credentials: Record<string, unknown>): [string, string][] {
  return Object.entries(names).flatMap(([key, name]): [string, string][] => {
    const [value] = [credentials[key]].flat();
    return value === undefined ? [] : [[name, textOf(key, value)]];
  });
}

function textOf(key: string, value: unknown): string {
  if (isRecord(value)) {
    const { state, zipCode, ...rest } = value;
    if (key === "address") return [...Object.values(rest), `${state} ${zipCode}`].join(", ");
    return Object.values(value).join(" ");
  }
  const text = String(value);
  if (key === "ssn") return text.replace(/^\d{5}/, "•••-••-");
  if (key === "phone") return text.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, "($1) $2-$3");
  return key === "birthDate" ? text.replace(/^(\d{4})-(\d\d)-(\d\d)$/, "$2/$3/$1") : text;
}

/** Scrolls to the control that the person touches, and draws the touch. */
function Finger({ touch, scroller }: { touch: Touch | undefined; scroller: RefObject<HTMLElement | null> }) {
  const [at, setAt] = useState<{ left: number; top: number }>();
  useEffect(() => {
    const page = scroller.current;
    if (touch === undefined || page === null) return;
    const { left, top } = placeOf(touch.control, page);
    const height = page.clientHeight;
    if (top < page.scrollTop + height / 4 || top > page.scrollTop + height * 0.8)
      page.scrollTo({ top: top - height / 2, behavior: movesLittle() ? "auto" : "smooth" });
    setAt({ left, top });
  }, [touch]);
  if (touch === undefined || at === undefined) return null;
  return (
    <span key={touch.number} class="finger" style={{ left: `${at.left}px`, top: `${at.top}px` }} aria-hidden="true" />
  );
}

/** The middle of a control, in the page's own pixels. The phone is drawn smaller than it is. */
function placeOf(control: HTMLElement, page: HTMLElement): { left: number; top: number } {
  const frame = control.ownerDocument === page.ownerDocument ? null : page.querySelector("iframe");
  const own = control.getBoundingClientRect();
  const outer = page.getBoundingClientRect();
  const scale = outer.width / page.offsetWidth;
  if (frame === null)
    return {
      left: (own.left + own.width / 2 - outer.left) / scale,
      top: (own.top + own.height / 2 - outer.top) / scale + page.scrollTop,
    };
  const around = frame.getBoundingClientRect();
  return {
    left: (around.left - outer.left) / scale + own.left + own.width / 2,
    top: (around.top - outer.top) / scale + page.scrollTop + own.top + own.height / 2,
  };
}
