import type { Me } from "@countersign/contract/dashboard";
import type { BrandLine } from "@countersign/contract/dashboard-brands";
import { useEffect, useState } from "preact/hooks";
import { api } from "../api.ts";
import { lastBrandPath } from "./navigation.tsx";

let brandNow: BrandLine | null = null;
let onBrand: (brand: BrandLine | null) => void = () => {};

/** Sets the brand whose pages the navigation shows. */
export function showBrand(brand: BrandLine | null): void {
  brandNow = brand;
  onBrand(brand);
}

/** The brand of the page. Account pages keep the last brand, so the navigation does not change. */
export function useNavBrand(me: Me, path: string): BrandLine | null {
  const [brand, setBrand] = useState(brandNow);
  useEffect(() => {
    onBrand = setBrand;
    // The next member who signs in here may belong to another account.
    return () => showBrand(null);
  }, []);
  useEffect(() => {
    if (brandNow !== null || me.needsPasskey || /^\/brands\/[^/]+\//.test(path)) return;
    void api.listBrands().then((outcome) => {
      if (brandNow === null && outcome.kind === "ok") showBrand(likeliest(outcome.value.data));
    });
  }, [path]);
  return brand;
}

/** The brand in the history entry, or else the one that was last used or created. */
function likeliest(brands: readonly BrandLine[]): BrandLine | null {
  const last = lastBrandPath() ?? "";
  const newest = [...brands].sort((a, b) => (b.lastUsedAt ?? b.createdAt) - (a.lastUsedAt ?? a.createdAt));
  return brands.find(({ uuid }) => last.startsWith(`/brands/${uuid}/`)) ?? newest[0] ?? null;
}
