import type { Environment } from "@countersign/contract/brand";
import type { BrandLine, KeyLine } from "@countersign/contract/dashboard-brands";
import type { TestPerson } from "@countersign/contract/dashboard-start";
import { searched } from "../reporting/log-query.ts";
import { accountRoutes, brandRoutes } from "../routes.tsx";
import type { FieldWords } from "../settings/field-words.ts";
import { sectionsOf } from "../settings/words-settings.ts";
import { words } from "../words.ts";
import { brandsPath, withQuery } from "./navigation.tsx";
import { paletteWords as say } from "./words-palette.ts";

type Group = keyof typeof say.groups;
/** A result that opens a page or copies a text. `also`: hidden words that also find it. */
export type Item = { group: Group; id: string; title: string; detail?: string; also?: string } & (
  | { to: string }
  | { copies: string }
);

/** The data of the palette: the account's brands, and the current brand's keys and test people. */
export type Known = {
  /** Whether data is still being loaded. */
  isLoading: boolean;
  brands: readonly BrandLine[];
  keys: readonly KeyLine[];
  people: readonly TestPerson[];
  brand: BrandLine | null;
  environment: Environment;
  /** The current page of the brand. Results for other brands lead to the same page. */
  page: string;
};

/** Maximum number of results per group. */
const groupMax = 8;

/** The brands, last used first, each with a link to its current page. */
function brandItems({ brands, environment, page }: Known): Item[] {
  const usedOrMade = ({ lastUsedAt, createdAt }: BrandLine) => lastUsedAt ?? createdAt;
  const sorted = brands.toSorted((a, b) => usedOrMade(b) - usedOrMade(a));
  return sorted.map(({ uuid, name, environments }) => ({
    group: "brands",
    id: uuid,
    title: name,
    detail: environments.map(({ integrationType }) => words.types[integrationType].name)[0] ?? "",
    to: `/brands/${uuid}/${environment}/${page}`,
  }));
}

/** All items except calls. */
function allItems(known: Known): Item[] {
  const { brand, environment, keys, people } = known;
  const type = brand?.environments.find((one) => one.environment === environment)?.integrationType;
  const base = brand === null ? null : `/brands/${brand.uuid}/${environment}`;
  const page = (label: string | undefined, to: string, detail = ""): Item[] =>
    label === undefined ? [] : [{ group: "pages", id: to, title: label, detail, to }];
  const detail = brand === null ? "" : `${brand.name} · ${words.environments[environment]}`;
  return [
    ...(base === null
      ? []
      : [
          ...brandRoutes.flatMap(({ label, path }) => page(label, `${base}/${path}`, detail)),
          ...sectionsOf(type).flatMap(({ id, title, fields }) =>
            page(say.settings(title), `${base}/settings/${id}`, detail).map((item) => ({
              ...item,
              also: alsoOf(fields),
            })),
          ),
        ]),
    ...accountRoutes.flatMap(({ label, path }) => page(label, path)),
    ...page(say.create, "/brands/new"),
    ...brandItems(known),
    ...keys.map(({ uuid, name, lastFour }): Item => {
      return { group: "keys", id: uuid, title: name, detail: `…${lastFour}`, to: `${base}/keys` };
    }),
    ...people.map(({ phone, outcome }): Item => {
      return { group: "people", id: phone, title: phone, detail: outcome.replaceAll("`", ""), copies: phone };
    }),
  ];
}

/** The labels and API names of a section's settings, as words that find the section. */
function alsoOf(fields: readonly FieldWords[]): string {
  return fields
    .map(
      ({ path, label, kind }) =>
        `${path} ${label} ${
          kind === "providers"
            ? Object.values(words.providers)
                .filter((one) => typeof one === "string")
                .join(" ")
            : ""
        }`,
    )
    .join(" ");
}

/**
 * The items with every typed word. Those whose title starts with the text come first. Ids and codes also find calls.
 */
export function matching(text: string, known: Known): Item[] {
  const found = foundIn(allItems(known), text);
  const groups: readonly Group[] = ["pages", "brands", "keys", "people"];
  return [
    ...callItems(text.trim(), known),
    ...groups.flatMap((group) => {
      const own = found.filter((one) => one.group === group);
      if (own.length <= groupMax) return own;
      return [...own.slice(0, groupMax), ...(group === "brands" ? [listItem(known)] : [])];
    }),
  ];
}

/** The brands with every typed word, without a limit, and a link to the list of all. */
export function matchingBrands(text: string, known: Known): Item[] {
  const found = foundIn(brandItems(known), text);
  return found.length === 0 ? [] : [...found, listItem(known)];
}

function foundIn(items: readonly Item[], text: string): Item[] {
  const typed = text.trim().toLowerCase();
  const parts = typed.split(/\s+/);
  const found = items.filter(({ group, title, detail = "", also = "" }) => {
    const all = `${say.groups[group]} ${title} ${detail} ${also}`.toLowerCase();
    return parts.every((part) => all.includes(part));
  });
  const rank = ({ title }: Item) => (title.toLowerCase().startsWith(typed) ? 0 : 1);
  return found.toSorted((a, b) => rank(a) - rank(b));
}

function listItem({ brands }: Known): Item {
  return { group: "brands", id: "all", title: say.allBrands(brands.length), to: brandsPath };
}

/** Links to calls and journeys of the current brand, or of the account's first brands, by text that a URL may contain. */
function callItems(text: string, { brand, brands, environment }: Known): Item[] {
  const { uuid, errorCode } = searched(text) ?? {};
  if (uuid === undefined && errorCode === undefined) return [];
  return (brand === null ? brands.slice(0, groupMax) : [brand]).flatMap((one): Item[] => {
    const base = `/brands/${one.uuid}/${environment}`;
    const calls: Item = {
      group: "calls",
      id: `calls ${one.uuid}`,
      title: say.callsWith(text, one.name),
      to: withQuery(`${base}/log`, { q: text }),
    };
    const journey: Item = {
      group: "calls",
      id: `journey ${one.uuid}`,
      title: say.journey(text, one.name),
      to: `${base}/journeys/${text.toLowerCase()}`,
    };
    return uuid === undefined ? [calls] : [journey, calls];
  });
}
