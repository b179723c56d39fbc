import { journeysMax, type ListedKind } from "@countersign/contract/dashboard-journeys";
import { api } from "../api.ts";
import { Bones } from "../controls/bones.tsx";
import { Empty, Select } from "../controls/controls.tsx";
import { putQuery, useQuery } from "../frame/navigation.tsx";
import { type BrandPageProps, Load, Page, StartLink, useLoad } from "../frame/page.tsx";
import { JourneyLines } from "./journey-lines.tsx";
import { LagNote } from "./lag-note.tsx";
import { journeyWords } from "./words-journey.ts";

const say = journeyWords.list;
const kinds: readonly ListedKind[] = ["signup", "verification", "health"];
/** The outcomes that a kind can have. */
const outcomes = {
  signup: ["open", "shared", "declined", "refused", "expired"],
  verification: ["open", "verified", "failed", "expired"],
  health: ["open", "succeeded", "partial", "failed", "expired"],
} as const;

/** A brand's newest signups, verifications and lookups. */
export function JourneysScreen({ brand, environment }: BrandPageProps) {
  const params = { brand: brand.uuid, environment };
  const inUrl = useQuery();
  const kind = kinds.find((one) => one === inUrl.get("kind"));
  const possible = kind === undefined ? [...new Set(Object.values(outcomes).flat())] : outcomes[kind];
  const outcome = possible.find((one) => one === inUrl.get("outcome"));
  const query = {
    max: String(journeysMax),
    ...(kind === undefined ? {} : { kind }),
    ...(outcome === undefined ? {} : { outcome }),
  };
  const { state } = useLoad(() => api.listJourneys({ params, query }), [brand.uuid, environment, kind, outcome]);
  const base = `/brands/${brand.uuid}/${environment}`;
  return (
    <Page name="journeys" title={say.title} lead={say.lead}>
      <LagNote />
      <div class="filters">
        <Select
          id="journeys-kind"
          label={say.kind}
          value={kind ?? ""}
          choices={[
            { value: "", label: say.anyKind },
            ...kinds.map((one) => ({ value: one, label: journeyWords.kinds[one] })),
          ]}
          onChange={(value) => putQuery({ kind: value })}
        />
        <Select
          id="journeys-outcome"
          label={journeyWords.outcome}
          value={outcome ?? ""}
          choices={[
            { value: "", label: say.anyOutcome },
            ...possible.map((one) => ({ value: one, label: journeyWords.outcomes[one] })),
          ]}
          onChange={(value) => putQuery({ kind, outcome: value })}
        />
      </div>
      <Load of={state} bones={<Bones of={["rows"]} />}>
        {({ data, now }) => {
          if (data.length === 0 && (kind !== undefined || outcome !== undefined))
            return <Empty title={say.noneFound} text={say.noneFoundLead} />;
          if (data.length === 0)
            return (
              <Empty title={say.none} text={say.noneLead}>
                <StartLink to={`${base}/start`} />
              </Empty>
            );
          return (
            <div class="panel">
              <JourneyLines lines={data} base={base} now={now} />
              {data.length === journeysMax ? <p class="quiet after">{say.newest(journeysMax)}</p> : null}
            </div>
          );
        }}
      </Load>
    </Page>
  );
}
