import type { Environment } from "@countersign/contract/brand";
import { api } from "../api.ts";
import { Bones } from "../controls/bones.tsx";
import { Link } from "../frame/navigation.tsx";
import { Load, useLoad } from "../frame/page.tsx";
import { JourneyLines } from "../reporting/journey-lines.tsx";
import { overviewWords } from "./words-overview.ts";

const say = overviewWords.journeys;

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
        <Link to={`${base}/journeys`}>{say.all}</Link>
      </div>
      <Load of={state} bones={<Bones of={["rows"]} />}>
        {({ data }) =>
          data.length === 0 ? <p class="quiet">{say.none}</p> : <JourneyLines lines={data} base={base} now={now} />
        }
      </Load>
    </section>
  );
}
