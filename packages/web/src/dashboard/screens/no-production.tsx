import { api } from "../api.ts";
import { Notice, TroubleNotice } from "../controls.tsx";
import { type BrandPageProps, may, Page, useDeed } from "../page.tsx";
import { words } from "../words.ts";

const say = words.production;

/** Shown if the brand has no production settings. Offers to set up production. */
export function NoProduction({ me, brand, reloadBrand }: BrandPageProps) {
  const deed = useDeed();
  const runs = me.environments.some(({ environment }) => environment === "production");
  return (
    <Page name="noProduction" title={say.title} lead={say.lead(brand.name)}>
      {runs ? null : <Notice>{say.notServed}</Notice>}
      {deed.trouble === null ? null : <TroubleNotice trouble={deed.trouble} />}
      {may(me, "developer") ? (
        <button
          type="button"
          class={`button main ${deed.isBusy ? "busy" : ""}`}
          onClick={() =>
            void deed.run(() => api.createProduction({ params: { brand: brand.uuid }, body: {} }), reloadBrand)
          }
        >
          {say.begin}
        </button>
      ) : (
        <p class="quiet">{say.askDeveloper}</p>
      )}
    </Page>
  );
}
