import type { JourneyKind, JourneyLine, JourneyOutcome } from "@countersign/contract/dashboard-journeys";
import { HeartPulse, List, MessageSquareText, UserCheck } from "lucide";
import { Icon, type IconNode } from "../../ui/icon.tsx";
import { Ago } from "../controls/controls.tsx";
import { Link } from "../frame/navigation.tsx";
import { durationOf } from "./journey-parts.ts";
import { reasonOf } from "./journey-reason.ts";
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
  /** The environment's time. */
  now: number;
};

/** Journeys with their outcomes. Each line leads to the journey's own page. */
export function JourneyLines({ lines, base, now }: Props) {
  return (
    <ul class="journey-lines">
      {lines.map((line) => (
        <li key={line.uuid}>
          <Icon node={icons[line.kind]} />
          <div>
            <p>
              <Link to={`${base}/journeys/${line.uuid}`} class="journey-link">
                {say.kinds[line.kind]} <code>…{line.uuid.slice(-uuidDigits)}</code>
              </Link>
              <span class={`tag ${outcomeTones[line.outcome]}`}>{say.outcomes[line.outcome]}</span>
              {line.phoneLastFour === null ? null : <span class="fixed">•••• {line.phoneLastFour}</span>}
            </p>
            <Reason of={line} />
          </div>
          <p class="journey-times quiet">
            <Ago at={line.began} now={now} />
            {line.ended === null || line.ended <= line.began ? null : (
              <span>{say.tookTime(durationOf(line.ended - line.began))}</span>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}

function Reason({ of: line }: { of: JourneyLine }) {
  const reason = reasonOf(line);
  if (reason === null && line.errorCode === null) return null;
  return (
    <p class="quiet">
      {reason} {line.errorCode === null ? null : <code>{line.errorCode}</code>}
    </p>
  );
}

/** How many digits of an id tell the lines apart. */
const uuidDigits = 6;
