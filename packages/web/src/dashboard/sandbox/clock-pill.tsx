import type { Me } from "@countersign/contract/dashboard";
import type { DashboardClock } from "@countersign/contract/dashboard-sandbox";
import { minuteMs } from "@countersign/contract/time";
import { Clock } from "lucide";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Icon } from "../../ui/icon.tsx";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { TroubleNotice } from "../controls/controls.tsx";
import { Link } from "../frame/navigation.tsx";
import { may, useAction } from "../frame/page.tsx";
import { sandboxWords } from "./words-sandbox.ts";

const say = sandboxWords.clock;
/** A clock that is ahead by less than this counts as real time. */
export const aheadMinMs = minuteMs;

/** Shows on every sandbox page that the clock has moved, with a button that resets it. It is checked on each page. */
export function ClockPill({ me, path }: { me: Me; path: string }) {
  const [clock, setClock] = useState<DashboardClock | null>(null);
  const [isBack, setBack] = useState(false);
  const more = useRef<HTMLDivElement>(null);
  const id = useId();
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
  const reset = () =>
    void action.run(
      () => api.resetDashboardClock(),
      (now) => {
        // The pill gets the focus back, so keep it until the next page.
        more.current?.hidePopover();
        setClock(now);
        setBack(true);
      },
    );
  const isAhead = clock !== null && clock.offsetMs >= aheadMinMs;
  if (!isAhead && !isBack) return null;
  const duration = say.duration(clock?.offsetMs ?? 0);
  return (
    <>
      <button type="button" class={isBack ? "bar-button pill" : "bar-button pill ahead"} popovertarget={id}>
        <Icon node={Clock} />
        {isBack ? (
          say.isReal
        ) : (
          <span>
            <span class="wide">{say.sandboxIs}</span>
            {say.isAhead(duration.split(" ").slice(0, 2).join(" "))}
          </span>
        )}
      </button>
      <p class="hidden" role="status">
        {isBack ? say.atHome : ""}
      </p>
      <div ref={more} id={id} popover="auto" class="menu pill-more">
        <p>{isBack ? say.atHome : say.says(duration)}</p>
        <TroubleNotice trouble={action.trouble} />
        <div class="row-actions">
          {!isBack && clock?.isMovable === true && may(me, "developer") ? (
            <Button label={say.home} look="small" isBusy={action.isBusy} onClick={reset} />
          ) : null}
          <Link to="/sandbox/clock" class="button small">
            {say.open}
          </Link>
        </div>
      </div>
    </>
  );
}
