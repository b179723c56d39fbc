/**
 * A brand's colors, corners and type as a style sheet. Colors with too little contrast are corrected, so every page is
 * legible.
 */
import type { BrandSettings } from "./brand.ts";

type Styling = BrandSettings["styling"];
const system = "system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif";
/** The bundled typefaces, by the name in the brand's settings. Any other name uses the first one. */
const bundledFonts = {
  Geist: `Geist,Geist-Fallback,Geist-Fallback-Android,${system}`,
  Lato: `Lato,${system}`,
} as const;
type Font = keyof typeof bundledFonts;
/** The typeface of our own pages, and of brands that chose none. */
export const ownFont: Font = "Geist";
const fontNamed = (name: string) => Object.keys(bundledFonts).find((one): one is Font => one === name) ?? ownFont;

/** WCAG 2.2: 4.5 to 1 for text, 3 to 1 for the edges of controls. */
const textContrast = 4.5;
const edgeContrast = 3;
/** Light text on a dark background looks thinner, so quiet text and links need more contrast than the minimum. */
const darkTextContrast = 5.5;
/** On a dark background, an error color with more contrast than this is too pale to look like an error. */
const paleContrast = 9;
/**
 * Minimum contrast between the background and the text. It leaves room for muted text and links, which have less
 * contrast than the text.
 */
const groundContrast = 7.5;
const darkBackground = "#14171A";
/** The color of what the brand does: it asks and reads. The primary color is that of what the person does. */
const accentColor = "#6D3FD1";
const warnColor = "#8A5A00";
const white = "#FFFFFF";
const black = "#101214";

/** A fixed scheme that overrides the device's preference. */
export type Scheme = "light" | "dark";

/** The path of the style sheet. It contains the theme's values, so browsers can cache it forever, and no brand id. */
export function themePath(styling: Styling): string {
  const colors = [styling.primaryColor, styling.errorColor, styling.mutedColor, styling.backgroundColor];
  const words = [
    ...colors.map((one) => one.slice(1).toUpperCase()),
    styling.alignment,
    fontNamed(styling.fontFamily),
    styling.inputRadius,
    styling.buttonRadius,
  ];
  return `/theme/${words.join("-")}.css`;
}

/** The path of the same theme in one fixed scheme. */
export function inScheme(path: string, scheme: Scheme): string {
  return path.replace(/\.css$/, `-${scheme}.css`);
}

const pathPattern =
  /^([0-9A-F]{6})-([0-9A-F]{6})-([0-9A-F]{6})-([0-9A-F]{6})-(left|center|right|stretch)-([A-Za-z]+)-(\d{1,2})-(\d{1,2})(?:-(light|dark))?\.css$/;

/** The style sheet for a theme's name; null if the name is invalid. */
export function themeSheet(name: string): string | null {
  const found = pathPattern.exec(name);
  if (found === null) return null;
  const [
    ,
    primary = "",
    error = "",
    muted = "",
    background = "",
    alignment = "center",
    font = "",
    input,
    button,
    scheme,
  ] = found;
  const colors = { primary: `#${primary}`, error: `#${error}`, muted: `#${muted}` };
  const align = { left: "left", center: "center", right: "right", stretch: "left" }[alignment] ?? "center";
  const shape = `--font:${bundledFonts[fontNamed(font)]};--input-radius:${input}px;--button-radius:${button}px;--align:${align};--width:${alignment === "stretch" ? "44rem" : "35rem"}`;
  const light = palette(colors, `#${background}`);
  const dark = palette(colors, darkBackground);
  if (scheme !== undefined) return `:root{${shape};${scheme === "dark" ? dark : light}}\n`;
  return `:root{${shape};${light}}\n@media (prefers-color-scheme:dark){:root{${dark}}}\n`;
}

function palette(brand: { primary: string; error: string; muted: string }, wanted: string): string {
  const text = contrast(white, wanted) > contrast(black, wanted) ? white : black;
  // A mid-tone background leaves too little contrast for muted text and links. Move it away from the text color.
  const background = correct(wanted, {
    against: text,
    toward: text === white ? black : white,
    atLeast: groundContrast,
  });
  const isDark = text === white;
  // A gray with a little of the brand's color.
  const surface = (share: number) => mix(background, mix(text, brand.primary, 0.25), share);
  // The background of hovered and chosen controls. It is closest to the text color, so text on it has the least contrast.
  const around = surface(isDark ? 0.06 : 0.045);
  // What lies on the card.
  const raised = surface(isDark ? 0.035 : 0.022);
  // In a dark scheme, the page is darker than the card on it.
  const page = isDark ? mix(background, "#000000", 0.4) : around;
  const atLeast = isDark ? darkTextContrast : textContrast;
  const readable = (color: string) => shade(color, { against: around, toward: text, atLeast });
  const primary = readable(brand.primary);
  const accent = readable(accentColor);
  const soft = (color: string) => mix(background, color, isDark ? 0.16 : 0.1);
  // The main button keeps the brand's color. Its text and edge colors adapt to it.
  const fill = brand.primary;
  const on = contrast(white, fill) >= textContrast ? white : "#000000";
  const edge = correct(mix(background, text, 0.4), { against: around, toward: text, atLeast: edgeContrast });
  const named = {
    scheme: isDark ? "dark" : "light",
    background,
    raised,
    around,
    page,
    text,
    primary,
    accent,
    soft: soft(primary),
    "soft-accent": soft(accent),
    fill,
    "on-fill": on,
    "fill-edge": contrast(fill, background) >= edgeContrast ? fill : edge,
    pressed: mix(fill, on === white ? black : white, 0.14),
    error: readable(isDark && contrast(brand.error, around) > paleContrast ? deepen(brand.error) : brand.error),
    warn: readable(warnColor),
    muted: readable(brand.muted),
    line: mix(background, text, 0.14),
    edge,
  };
  return Object.entries(named)
    .map(([name, value]) => (name === "scheme" ? `color-scheme:${value}` : `--${name}:${value}`))
    .join(";");
}

type Correction = { against: string; toward: string; atLeast: number };

/** Mixes a color toward black or white until it has enough contrast. A color with enough contrast is unchanged. */
function correct(color: string, { against, toward, atLeast }: Correction): string {
  for (let share = 0; share < 1; share += 0.04) {
    const candidate = mix(color, toward, share);
    if (contrast(candidate, against) >= atLeast) return candidate;
  }
  return toward;
}

/**
 * Darkens or lightens a color until it has enough contrast, and keeps its hue and saturation. Mixing with black would
 * turn a pale red brown.
 */
function shade(color: string, { against, toward, atLeast }: Correction): string {
  if (contrast(color, against) >= atLeast) return color;
  const lightness = lightnessOf(color);
  const end = toward === white ? 1 : 0;
  for (let share = 0.02; share < 1; share += 0.02) {
    const candidate = withLightness(color, lightness + (end - lightness) * share);
    if (contrast(candidate, against) >= atLeast) return candidate;
  }
  return toward;
}

/** Gives a pale color its full depth. On a dark card, a pale red looks like white text. */
function deepen(color: string): string {
  return withLightness(color, 0.5);
}

/** Lightness as HSL defines it, 0 to 1. */
function lightnessOf(color: string): number {
  return (Math.max(...channels(color)) + Math.min(...channels(color))) / 2 / 255;
}

/** Changes the lightness of a color, and keeps its hue and saturation. */
function withLightness(color: string, next: number): string {
  const lightness = lightnessOf(color);
  const room = 1 - Math.abs(2 * lightness - 1);
  const scale = room === 0 ? 0 : (1 - Math.abs(2 * next - 1)) / room;
  return hex(channels(color).map((one) => (next + (one / 255 - lightness) * scale) * 255));
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function mix(from: string, to: string, share: number): string {
  const target = channels(to);
  return hex(channels(from).map((one, index) => one + ((target[index] ?? one) - one) * share));
}

function hex(parts: number[]): string {
  return `#${parts.map((one) => Math.round(one).toString(16).padStart(2, "0")).join("")}`;
}

/** Relative luminance as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((one) => {
    const part = one / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio as WCAG defines it, 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
