import type { BrandLine } from "@countersign/contract/dashboard-brands";
import { useEffect } from "preact/hooks";
import { api } from "../api.ts";
import { brandsPath, goInstead } from "../frame/navigation.tsx";
import { Loading, LoadTrouble, type PageProps, useLoad } from "../frame/page.tsx";

/** Leads to the overview of the account's only brand, or to the list of its brands. */
export function HomeScreen({ me }: PageProps) {
  const { state } = useLoad(() => api.listBrands(), []);
  useEffect(() => {
    if (state.kind !== "ok") return;
    const [brand, ...others] = state.value.data;
    goInstead(brand === undefined || others.length > 0 ? brandsPath : overviewPath(brand, me));
  }, [state]);
  return state.kind === "trouble" ? <LoadTrouble trouble={state.trouble} onRetry={state.retry} /> : <Loading />;
}

/** The overview of a brand: in production if it works there, or else in the sandbox. */
export function overviewPath({ uuid, environments }: BrandLine, me: PageProps["me"]): string {
  const isLive =
    environments.some(({ environment, isApproved }) => environment === "production" && isApproved) &&
    me.environments.some(({ environment }) => environment === "production");
  return `/brands/${uuid}/${isLive ? "production" : "sandbox"}/overview`;
}
