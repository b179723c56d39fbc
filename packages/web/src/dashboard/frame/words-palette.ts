/** Texts of the palette, which finds pages, brands, keys, calls and test people. */
export const paletteWords = {
  label: "Find a page, brand, key, call or test person",
  brandLabel: "Find a brand",
  example: "Page, brand, key, UUID, error code or test person",
  brandExample: "Name of a brand",
  results: "Results",
  nothing: "Nothing found.",
  help: "↑ ↓ to move, Enter to open, Esc to close",
  groups: { calls: "Calls and journeys", pages: "Pages", brands: "Brands", keys: "API keys", people: "Test people" },
  journey: (uuid: string, brand: string) => `Journey of ${brand} with ${uuid}`,
  callsWith: (text: string, brand: string) => `Calls of ${brand} with ${text}`,
  settings: (section: string) => `Settings: ${section}`,
  create: "Create a brand",
  allBrands: (count: number) => (count === 1 ? "The list of brands" : `All ${count.toLocaleString("en-US")} brands`),
  copy: "copy the phone",
  copied: (phone: string) => `${phone} is copied.`,
};
