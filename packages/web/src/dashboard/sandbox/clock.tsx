import type { DashboardClock } from "@countersign/contract/dashboard-sandbox";
import { dayMs } from "@countersign/contract/time";
import { useEffect, useRef, useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Confirm } from "../controls/confirm.tsx";
import { Notice, Select, Time, TroubleNotice } from "../controls/controls.tsx";
import { Fold } from "../controls/fold.tsx";
import { Load, may, Page, type PageProps, useAction, useLoad } from "../frame/page.tsx";
import { aheadMinMs } from "./clock-pill.tsx";
import { advanceMaxMs } from "./clock-scale.ts";
import { Timeline } from "./clock-timeline.tsx";
import { sandboxWords } from "./words-sandbox.ts";

import "./sandbox.css";

const say = sandboxWords.clock;
/** A move of at least this length erases data, so the member must confirm it. */
const askFromMs = 30 * dayMs;
/** A length, and its name in the question before the move. */
type Move = { ms: number; label: string };

/** Shows, advances and resets the sandbox's clock. */
export function ClockScreen({ me }: PageProps) {
  const mayMove = may(me, "developer");
  return (
    <Page name="clock" title={say.title} lead={say.lead} viewOnly={mayMove ? undefined : say.role}>
      <Clock mayMove={mayMove} />
    </Page>
  );
}

function Clock({ mayMove }: { mayMove: boolean }) {
  const { state, reload: reloadClock } = useLoad(() => api.readDashboardClock(), []);
  const due = useLoad(() => api.listDue(), []);
  const [asked, setAsked] = useState<Move | null>(null);
  const reload = () => Promise.all([reloadClock(), due.reload()]);
  const [told, setTold] = useState<string | null>(null);
  const action = useAction();
  const result = useRef<HTMLSpanElement>(null);
  // The line whose button moved the clock may be gone.
  useEffect(() => {
    if (told !== null && document.activeElement === document.body) result.current?.focus();
  }, [told, due.state]);
  // Clear the result of the previous move. Otherwise it would look like the new one.
  const move = (body: { advanceMs: number } | { now: number }) => {
    setTold(null);
    void action.run(
      () => api.moveDashboardClock({ body }),
      ({ jobsRun }) => {
        setTold(say.moved(jobsRun));
        void reload();
      },
    );
  };
  const by = (ms: number, instant?: number) => {
    if (ms >= askFromMs) setAsked({ ms, label: say.duration(ms) });
    else move(instant === undefined ? { advanceMs: ms } : { now: instant });
  };
  const home = () => {
    setTold(null);
    void action.run(
      () => api.resetDashboardClock(),
      () => {
        setTold(say.atHome);
        void reload();
      },
    );
  };
  return (
    <Load of={state}>
      {(clock) => (
        <>
          <Shown clock={clock} />
          {asked === null ? null : (
            <Confirm
              title={say.ask(asked.label)}
              text={say.askText}
              action={say.move}
              onConfirm={() => move({ advanceMs: asked.ms })}
              onClose={() => setAsked(null)}
            />
          )}
          <TroubleNotice trouble={action.trouble} />
          <div class="row-actions told">
            {mayMove && clock.isMovable && clock.offsetMs > 0 ? (
              <Button label={say.home} isBusy={action.isBusy} onClick={home} />
            ) : null}
            <span ref={result} role="status" tabIndex={-1}>
              {action.isBusy ? say.moving : told}
            </span>
          </div>
          {mayMove && !clock.isMovable ? <Notice>{say.off}</Notice> : null}
          <Load of={due.state}>
            {(list) => (
              <Timeline clock={clock} due={list} isBusy={action.isBusy} onMove={mayMove && clock.isMovable ? by : null}>
                {mayMove && clock.isMovable ? <Presets isBusy={action.isBusy} onMove={by} /> : null}
              </Timeline>
            )}
          </Load>
          {mayMove && clock.isMovable ? (
            <Fold title={say.exact}>
              <div class="exact-moves">
                <ForwardBy isBusy={action.isBusy} onMove={by} />
                <ForwardTo
                  isBusy={action.isBusy}
                  now={clock.now}
                  onMove={(instant) => by(instant - clock.now, instant)}
                />
              </div>
            </Fold>
          ) : null}
        </>
      )}
    </Load>
  );
}

function Shown({ clock }: { clock: DashboardClock }) {
  return (
    <dl class="tiles">
      <div>
        <dt>{say.now}</dt>
        <dd class="now">
          <Time at={clock.now} seconds />
        </dd>
      </div>
      <div>
        <dt>{say.ahead}</dt>
        <dd class="now">{clock.offsetMs < aheadMinMs ? say.real : say.duration(clock.offsetMs)}</dd>
      </div>
    </dl>
  );
}

function Presets({ isBusy, onMove }: { isBusy: boolean; onMove(ms: number): void }) {
  return (
    <div class="row-actions presets">
      {say.presets.map(({ label, ms }) => (
        <Button key={label} label={label} isBusy={isBusy} onClick={() => onMove(ms)} />
      ))}
      <span class="quiet">{say.presetHint}</span>
    </div>
  );
}

function ForwardBy({ isBusy, onMove }: { isBusy: boolean; onMove(ms: number): void }) {
  const [amount, setAmount] = useState("1");
  const [unit, setUnit] = useState("3600000");
  const [isWrong, setWrong] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    const ms = Number(amount) * Number(unit);
    const fits = /^\d{1,6}$/.test(amount) && ms > 0 && ms <= advanceMaxMs;
    setWrong(!fits);
    if (fits) onMove(ms);
  };
  return (
    <form onSubmit={submit}>
      <h3>{say.by}</h3>
      <div class="moves">
        <Field
          id="clock-amount"
          label={say.amount}
          error={isWrong ? say.wrongAmount : undefined}
          input={{ value: amount, inputMode: "numeric", onInput: (event) => setAmount(event.currentTarget.value) }}
        />
        <Select id="clock-unit" label={say.unit} value={unit} choices={say.units} onChange={setUnit} />
        <Button label={say.move} type="submit" look="main" isBusy={isBusy} />
      </div>
    </form>
  );
}

function ForwardTo({ isBusy, now, onMove }: { isBusy: boolean; now: number; onMove(instant: number): void }) {
  const [instant, setInstant] = useState("");
  const [isWrong, setWrong] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    const target = Date.parse(instant);
    const fits = target > now && target - now <= advanceMaxMs;
    setWrong(!fits);
    if (fits) onMove(target);
  };
  return (
    <form onSubmit={submit}>
      <h3>{say.to}</h3>
      <div class="moves">
        <Field
          id="clock-instant"
          label={say.instant}
          error={isWrong ? say.wrongInstant : undefined}
          input={{
            type: "datetime-local",
            value: instant,
            onInput: (event) => setInstant(event.currentTarget.value),
          }}
        />
        <Button label={say.go} type="submit" isBusy={isBusy} />
      </div>
    </form>
  );
}
