import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Notice, TroubleNotice } from "../controls/controls.tsx";
import { go } from "../frame/navigation.tsx";
import { type BrandPageProps, may, Page, useAction } from "../frame/page.tsx";
import { words } from "../words.ts";
import type { BeginProduction } from "./begin-production.tsx";
import { stepWords } from "./words-production.ts";

const say = words.production;
const steps = [
  [stepWords.settings, stepWords.settingsNext],
  [stepWords.checklist, stepWords.checklistNext],
  [stepWords.review, stepWords.reviewNext],
] as const;

/** Shown if the brand has no production settings. Offers to set up production. */
export function NoProduction({ me, brand, reloadBrand }: BrandPageProps) {
  const action = useAction();
  // Loaded when it is needed, because it knows the names of all settings.
  const [Question, setQuestion] = useState<typeof BeginProduction | null>(null);
  const ask = async () => {
    const { BeginProduction: loaded } = await import("./begin-production.tsx");
    setQuestion(() => loaded);
  };
  const begin = (sourceVersion: number) =>
    void action.run(
      () => api.createProduction({ params: { brand: brand.uuid }, body: { sourceVersion } }),
      () => {
        reloadBrand();
        go(`/brands/${brand.uuid}/production/approvals`);
      },
    );
  const runs = me.environments.some(({ environment }) => environment === "production");
  return (
    <Page
      name="noProduction"
      title={say.title}
      lead={say.lead(brand.name, runs)}
      viewOnly={may(me, "developer") ? undefined : say.askDeveloper}
    >
      {runs ? null : <Notice>{say.notServed(may(me, "developer"))}</Notice>}
      <TroubleNotice trouble={action.trouble} />
      <ol class="stages next-steps" aria-label={stepWords.title}>
        {steps.map(([title, next], place) => (
          <li key={title} class={place === 0 ? "current" : ""} aria-current={place === 0 ? "step" : undefined}>
            <span class="stage-mark" aria-hidden="true">
              {place + 1}
            </span>
            <div>
              <strong>{title}</strong>
              <p class="quiet">{next}</p>
              {place === 0 && may(me, "developer") ? (
                <p>
                  <Button
                    label={runs ? say.begin : say.prepare}
                    look="main"
                    isBusy={action.isBusy}
                    onClick={() => void ask()}
                  />
                </p>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
      {Question === null ? null : (
        <Question
          brandUuid={brand.uuid}
          title={runs ? say.begin : say.prepare}
          onConfirm={begin}
          onClose={() => setQuestion(null)}
        />
      )}
    </Page>
  );
}
