import type { Me } from "@countersign/contract/dashboard";
import type { DashboardClock } from "@countersign/contract/dashboard-sandbox";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { TroubleNotice } from "../controls/controls.tsx";
import { may, useAction } from "../frame/page.tsx";
import { sandboxWords } from "./words-sandbox.ts";

const say = sandboxWords.clock;
/** A clock that is less ahead than this is on real time. */
export const aheadMinMs = 60_000;

/** Says on every page of the sandbox that its clock has moved, with the way back. Asks again on each page. */
export function ClockNote({ me, path }: { me: Me; path: string }) {
  const [clock, setClock] = useState<DashboardClock | null>(null);
  const [isBack, setBack] = useState(false);
  const action = useAction();
  useEffect(() => {
    let isHere = true;
    setBack(false);
    void api.readDashboardClock().then((outcome) => {
      if (isHere && outcome.kind === "ok") setClock(outcome.value);
    });
    return () => {
      isHere = false;
    };
  }, [path]);
  if (clock === null || (clock.offsetMs < aheadMinMs && !isBack)) return null;
  const reset = () =>
    void action.run(
      () => api.resetDashboardClock(),
      (now) => {
        setClock(now);
        setBack(true);
      },
    );
  return (
    <aside class="note clock-note" aria-label={say.title}>
      <TroubleNotice trouble={action.trouble} />
      <p role="status">{isBack ? say.atHome : say.isAhead(say.duration(clock.offsetMs))}</p>
      {!isBack && clock.isMovable && may(me, "developer") ? (
        <Button label={say.home} look="small" isBusy={action.isBusy} onClick={reset} />
      ) : null}
    </aside>
  );
}
