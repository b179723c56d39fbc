import type { Environment } from "@countersign/contract/brand";
import type { BrandLine } from "@countersign/contract/dashboard-brands";
import { useEffect } from "preact/hooks";
import { api } from "../api.ts";
import { NoProduction } from "../brand/production-setup.tsx";
import { brandRoutes } from "../routes.tsx";
import { showBrand } from "./nav-brand.ts";
import { match } from "./navigation.tsx";
import { environmentNames, Load, MissingPage, type PageProps, useLoad, WhosePage } from "./page.tsx";

type Props = Pick<PageProps, "me" | "reloadMe"> & { path: string };

/** A page of a brand in one of its environments. */
export function BrandFrame({ me, path, reloadMe }: Props) {
  const [, , uuid = "", name = ""] = path.split("/");
  const environment = environmentNames.find((one) => one === name);
  const { state, reload } = useLoad(() => api.readBrand({ params: { brand: uuid } }), [uuid]);
  useEffect(() => {
    if (state.kind === "ok") showBrand(state.value);
  }, [state]);
  if (environment === undefined) return <MissingPage />;
  if (state.kind === "trouble" && ["missing", "invalid"].includes(state.trouble.kind)) return <MissingPage />;
  return (
    <Load of={state}>
      {(brand) => (
        <WhosePage.Provider value={{ uuid, brand: brand.name, environment }}>
          <BrandPage key={placeOf(path)} {...{ me, path, reloadMe, brand, environment, reloadBrand: reload }} />
        </WhosePage.Provider>
      )}
    </Load>
  );
}

/** All sections of the settings have the same key, so that the tabs are kept when the section changes. */
function placeOf(path: string): string {
  return path.replace(/\/settings\/[^/]+$/, "/settings");
}

type BrandProps = Props & { brand: BrandLine; environment: Environment; reloadBrand(): void };

function BrandPage({ path, ...props }: BrandProps) {
  const { brand, environment } = props;
  for (const { path: pattern, screen: Screen, anyEnvironment } of brandRoutes) {
    const params = match(`/brands/:brand/:environment/${pattern}`, path);
    if (params === null) continue;
    const isSetUp = brand.environments.some((one) => one.environment === environment);
    if (!isSetUp && anyEnvironment !== true) return <NoProduction {...props} params={params} />;
    return <Screen {...props} params={params} />;
  }
  return <MissingPage />;
}
