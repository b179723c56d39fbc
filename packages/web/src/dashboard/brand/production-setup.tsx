import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Notice, TroubleNotice } from "../controls/controls.tsx";
import { type BrandPageProps, may, Page, useAction } from "../frame/page.tsx";
import { words } from "../words.ts";

const say = words.production;

/** Shown if the brand has no production settings. Offers to set up production. */
export function NoProduction({ me, brand, reloadBrand }: BrandPageProps) {
  const action = useAction();
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
      {may(me, "developer") ? (
        <Button
          label={runs ? say.begin : say.prepare}
          look="main"
          isBusy={action.isBusy}
          onClick={() =>
            void action.run(() => api.createProduction({ params: { brand: brand.uuid }, body: {} }), reloadBrand)
          }
        />
      ) : null}
    </Page>
  );
}
