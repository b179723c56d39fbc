/** How to fix invalid options. Undefined if they are valid. */
export function fixOf(options: unknown): string | undefined {
  if (typeof options !== "object" || options === null)
    return "Pass options: new Countersign({ sessionKey, walletUrl, onResult, onError }).";
  const { onResult, onError, onEvent }: Record<string, unknown> = { ...options };
  for (const [name, callback] of Object.entries({ onResult, onError, onEvent: onEvent ?? fixOf }))
    if (typeof callback !== "function") return `Pass a function as ${name}.`;
  return undefined;
}

/** The element for the frame. Undefined if there is none. */
export function placeOf(place: unknown): Element | undefined {
  if (place === undefined) return document.body ?? document.documentElement;
  const found = typeof place === "string" ? find(place) : place;
  return isElement(found) ? found : undefined;
}

function find(selector: string): Element | null {
  try {
    return document.querySelector(selector);
  } catch {
    return null; // not a valid selector
  }
}

/** Not `instanceof`, because an element may come from another window. */
function isElement(value: unknown): value is Element {
  return typeof value === "object" && value !== null && "nodeType" in value && value.nodeType === 1;
}
