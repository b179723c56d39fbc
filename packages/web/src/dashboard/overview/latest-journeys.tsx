import type { Environment } from "@countersign/contract/brand";
import type { JourneyLine } from "@countersign/contract/dashboard-journeys";
import { HeartPulse, List, MessageSquareText, UserCheck } from "lucide";
import { Icon, type IconNode } from "../../ui/icon.tsx";
import { api } from "../api.ts";
import { Ago } from "../controls/controls.tsx";
import { Link } from "../frame/navigation.tsx";
import { Load, useLoad } from "../frame/page.tsx";
import { overviewWords } from "./words-overview.ts";

const say = overviewWords.journeys;
const icons: Readonly<Record<JourneyLine["kind"], IconNode>> = {
  signup: UserCheck,
  verification: MessageSquareText,
  health: HeartPulse,
  calls: List,
};
const tones: Readonly<Partial<Record<JourneyLine["outcome"], string>>> = {
  shared: "good",
  verified: "good",
  succeeded: "good",
  refused: "bad",
  failed: "bad",
  partial: "warn",
};

type Props = {
  params: { brand: string; environment: Environment };
  /** The path of the brand in its environment. */
  base: string;
  /** The environment's time. */
  now: number;
};

/** The newest five journeys. Each leads to its own page. */
export function LatestJourneys({ params, base, now }: Props) {
  const { state } = useLoad(
    () => api.listJourneys({ params, query: { max: "5" } }),
    [params.brand, params.environment],
  );
  return (
    <section class="panel journeys" aria-labelledby="journeys">
      <div class="panel-head">
        <h2 id="journeys">{say.title}</h2>
        <Link to={`${base}/log`}>{say.log}</Link>
      </div>
      <Load of={state}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{say.none}</p>
          ) : (
            <ul class="journey-lines">
              {data.map(({ uuid, kind, began, outcome, errorCode }) => (
                <li key={uuid}>
                  <Icon node={icons[kind]} />
                  <p>
                    <Link to={`${base}/journeys/${uuid}`}>
                      {say.kinds[kind]} <code>…{uuid.slice(-uuidDigits)}</code>
                    </Link>{" "}
                    <span class={`tag ${tones[outcome] ?? ""}`}>{say.outcomes[outcome]}</span>
                    {errorCode === null ? null : <code class="quiet">{errorCode}</code>}
                  </p>
                  <span class="quiet">
                    <Ago at={began} now={now} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Load>
    </section>
  );
}

/** How many digits of an id tell the lines apart. */
const uuidDigits = 6;
