import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Place, sentenceOf } from "./arrows.ts";
import { Diagram } from "./diagram.tsx";
import { Icon } from "./icons.tsx";
import { ServerLog } from "./log.tsx";
import { Phone } from "./phone.tsx";
import { brands, type Scenario, scenarioAfter, scenarioOf, scenarios } from "./scenarios.ts";
import { openSignup, type Signup } from "./signup.ts";
import { type Direction, useDirection } from "./use-direction.ts";
import type { Visit } from "./visit.ts";

/** The stage: a phone with the real wallet, a diagram of the calls, and the log of the brand's server. */
export function Stage() {
  const { signup, visit, choose } = useSignup();
  const place = useRef<HTMLElement>(null);
  const direction = useDirection({ signup, visit, place, restart: () => choose(visit.scenario) });
  const [shown, show] = useState<PartName>("phone");
  const brand = brands[visit.scenario.brand];
  const isNarrow = useMatch(narrow);
  const go = (scenario: Scenario) => {
    direction.pause();
    choose(scenario);
  };
  const nameOf = (one: Place) => placeNames(brand.kind)[one];
  return (
    <div class="stage">
      <header class="masthead">
        <a class="product" href="/demo" aria-label="Countersign">
          <img src="/mark.svg" alt="" width={28} height={28} />
          <span>Countersign</span>
        </a>
        <h1>See a signup happen</h1>
        <p class="note">Fictional people. Every call, text and answer is real.</p>
        {docs === undefined ? null : (
          <a class="docs" href={`${docs}/start/`}>
            Get started
          </a>
        )}
      </header>
      <main>
        <Chips chosen={visit.scenario} onChoose={go} />
        <div class="bar">
          <Controls direction={direction} />
          <div class="told">
            <p class="caption" role="status">
              {visit.trouble ??
                (visit.current === undefined ? visit.scenario.text : sentenceOf(visit.current, brand.kind))}
            </p>
            <p class="next">
              {direction.isPaused ? <span class="paused">Paused. </span> : null}
              <span class="what">{nextOf(direction)}</span>
            </p>
          </div>
          {direction.isOver ? (
            <div class="after">
              {docs === undefined ? null : (
                <a class="button" href={`${docs}/start/`}>
                  Build this: Get started
                </a>
              )}
              {isNarrow && shown === "phone" ? (
                <button type="button" class="button" onClick={() => show("diagram")}>
                  See the diagram
                </button>
              ) : (
                <button type="button" class="button" onClick={() => go(scenarioAfter(visit.scenario))}>
                  Play another
                </button>
              )}
            </div>
          ) : null}
        </div>
        <Parts {...{ shown, isNarrow }} onShow={show}>
          {{
            phone: (
              <Phone
                key={visit.number}
                {...{ visit, place, direction }}
                onBegin={(where) => void signup.begin(where)}
              />
            ),
            diagram: (
              <Diagram
                rows={visit.rows}
                current={visit.current}
                kind={brand.kind}
                isShown={shown === "diagram"}
                nameOf={nameOf}
              />
            ),
            log: <ServerLog key={visit.number} lines={visit.lines} kind={brand.kind} isShown={shown === "log"} />,
          }}
        </Parts>
      </main>
    </div>
  );
}

/** The address of the documents. The service names it in the page's head. */
const docs = document.querySelector<HTMLMetaElement>('meta[name="docs"]')?.content;
const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const placeNames = (kind: string): Record<Place, string> => ({
  page: `${capital(kind)}’s page`,
  server: `${capital(kind)}’s server`,
  countersign: "Countersign",
  phone: "Phone",
  sources: "Sources",
});

/** The current signup. `choose` ends it and opens another one. */
function useSignup(): { signup: Signup; visit: Visit; choose(scenario: Scenario): void } {
  const [visit, setVisit] = useState<Visit>();
  const open = (scenario: Scenario) => openSignup(scenario, setVisit);
  const [signup, setSignup] = useState(() => open(scenarioOf(new URLSearchParams(location.search).get("scenario"))));
  useEffect(() => () => signup.close(), [signup]);
  const choose = (scenario: Scenario) => {
    signup.close();
    history.replaceState(null, "", `?scenario=${scenario.id}`);
    const next = open(scenario);
    setVisit(next.visit);
    setSignup(next);
  };
  return { signup, visit: visit ?? signup.visit, choose };
}

function Chips({ chosen, onChoose }: { chosen: Scenario; onChoose(scenario: Scenario): void }) {
  const list = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    const chip = list.current?.querySelector("[aria-pressed=true]");
    chip?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [chosen]);
  return (
    <fieldset class="chips" aria-label="What happens" ref={list}>
      {scenarios.map((scenario) => (
        <button
          key={scenario.id}
          type="button"
          class="chip"
          aria-pressed={scenario.id === chosen.id}
          onClick={() => onChoose(scenario)}
        >
          {scenario.name}
        </button>
      ))}
    </fieldset>
  );
}

function Controls({ direction }: { direction: Direction }) {
  const { isPlaying, isGoingBack, action, isOver, canGoBack } = direction;
  const isHeld = action === undefined || isGoingBack;
  return (
    <fieldset class="controls" aria-label="Playback" ref={direction.controls}>
      <button type="button" class="button main" onClick={isPlaying ? direction.pause : direction.play}>
        <Icon name={isPlaying ? "pause" : "play"} />
        {isPlaying ? "Pause" : isOver ? "Replay" : "Play"}
      </button>
      <button
        type="button"
        class="button"
        aria-disabled={canGoBack ? undefined : "true"}
        onClick={() => canGoBack && direction.back()}
      >
        <Icon name="back" />
        Back
      </button>
      <button
        type="button"
        class="button"
        aria-disabled={isHeld ? "true" : undefined}
        onClick={() => !isHeld && direction.step()}
      >
        <Icon name="step" />
        Step
      </button>
      <button type="button" class="button" onClick={direction.restart}>
        <Icon name="restart" />
        Restart
      </button>
    </fieldset>
  );
}

function nextOf({ isOver, isGoingBack, action, doing }: Direction): string {
  if (isGoingBack) return "Going back: the same steps run again…";
  if (isOver) return "The end.";
  if (doing !== undefined) return `Now: Richard ${doing}.`;
  return action === undefined ? "Waiting for an answer…" : `Next: Richard ${action.label}.`;
}

const partNames = { phone: "Phone", diagram: "Diagram", log: "Server log" } as const;
type PartName = keyof typeof partNames;
const parts: readonly PartName[] = ["phone", "diagram", "log"];
/** In a narrower window, tabs show one part at a time. `stage.css` has the same width. */
const narrow = "(max-width: 71.99rem)";

type PartsProps = {
  shown: PartName;
  isNarrow: boolean;
  onShow(name: PartName): void;
  children: Record<PartName, ComponentChildren>;
};

function Parts({ shown, isNarrow, onShow, children }: PartsProps) {
  const tabs = useRef<HTMLDivElement>(null);
  const move = (by: number) => {
    const next = parts[(parts.indexOf(shown) + by + parts.length) % parts.length] ?? "phone";
    onShow(next);
    tabs.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === "ArrowRight") move(1);
    if (key === "ArrowLeft") move(-1);
  };
  return (
    <div class="parts">
      {isNarrow ? (
        <div class="tabs" role="tablist" aria-label="Parts" ref={tabs} onKeyDown={onKeyDown}>
          {parts.map((name) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              aria-selected={name === shown}
              aria-controls={`part-${name}`}
              tabIndex={name === shown ? 0 : -1}
              onClick={() => onShow(name)}
            >
              {partNames[name]}
            </button>
          ))}
        </div>
      ) : null}
      {parts.map((name) => (
        <section
          key={name}
          id={`part-${name}`}
          class={`part ${name}`}
          {...(isNarrow
            ? { role: "tabpanel", "aria-labelledby": `tab-${name}`, "data-hidden": name !== shown }
            : { "aria-label": partNames[name] })}
        >
          {children[name]}
        </section>
      ))}
    </div>
  );
}

function useMatch(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = () => setMatches(list.matches);
    list.addEventListener("change", follow);
    return () => list.removeEventListener("change", follow);
  }, [query]);
  return matches;
}
