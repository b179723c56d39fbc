import type { JourneyKind, JourneyLine, JourneyOutcome } from "@countersign/contract/dashboard-journeys";
import { HeartPulse, List, MessageSquareText, UserCheck } from "lucide";
import { Icon, type IconNode } from "../../ui/icon.tsx";
import { Ago, Time } from "../controls/controls.tsx";
import { Link } from "../frame/navigation.tsx";
import { journeyWords as say } from "./words-journey.ts";

const icons: Readonly<Record<JourneyKind, IconNode>> = {
  signup: UserCheck,
  verification: MessageSquareText,
  health: HeartPulse,
  calls: List,
};

export const outcomeTones: Readonly<Record<JourneyOutcome, string>> = {
  open: "",
  shared: "good",
  declined: "warn",
  refused: "bad",
  expired: "warn",
  verified: "good",
  failed: "bad",
  succeeded: "good",
  partial: "warn",
  unknown: "",
};

type Props = {
  lines: readonly JourneyLine[];
  /** The path of the brand in its environment. */
  base: string;
  /** The environment's time, for a list that says how long ago something was. */
  now?: number;
};

/** Journeys with their outcomes. Each leads to its own page. */
export function JourneyLines({ lines, base, now }: Props) {
  return (
    <ul class="journey-lines">
      {lines.map(({ uuid, kind, began, outcome, errorCode }) => (
        <li key={uuid}>
          <Icon node={icons[kind]} />
          <p>
            <Link to={`${base}/journeys/${uuid}`} class="journey-link">
              {say.kinds[kind]} <code>…{uuid.slice(-uuidDigits)}</code>
            </Link>{" "}
            <span class={`tag ${outcomeTones[outcome]}`}>{say.outcomes[outcome]}</span>
            {errorCode === null ? null : <code class="quiet">{errorCode}</code>}
          </p>
          <span class="quiet">{now === undefined ? <Time at={began} seconds /> : <Ago at={began} now={now} />}</span>
        </li>
      ))}
    </ul>
  );
}

/** How many digits of an id tell the lines apart. */
const uuidDigits = 6;
