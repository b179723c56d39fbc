import type { LogFilter } from "@countersign/contract/dashboard-reporting";

/** A text with this many digits may be a phone without its area code. */
const phoneDigits = 7;

/** The filter of a search text. Null if the text can match nothing. */
export function searched(text: string): LogFilter | null {
  // Texts from other programs can have invisible characters and long hyphens.
  const typed = text
    .replace(/\p{Cf}/gu, "")
    .replace(/\p{Pd}/gu, "-")
    .trim();
  if (typed === "") return {};
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(typed)) return { uuid: typed };
  if (/^\d{3}$/.test(typed)) return { statusCode: Number(typed) };
  if (/^\d{4}$/.test(typed)) return { lastFour: typed };
  if (/^\+?[\d\s().-]{10,20}$/.test(typed)) return { phone: phoneOf(typed) };
  if (/^[a-z]{2,4}\d{3}$/i.test(typed)) return { errorCode: typed.toUpperCase() };
  // So many digits may be a phone. They must not be put into the URL as an endpoint.
  const digits = typed.replace(/\D/g, "").length;
  return /^[\w/:.{}-]{1,200}$/.test(typed) && digits < phoneDigits && /[a-z]/i.test(typed) ? { route: typed } : null;
}

function phoneOf(typed: string): string {
  const digits = typed.replace(/\D/g, "");
  return typed.startsWith("+") || (digits.length === 11 && digits.startsWith("1")) ? `+${digits}` : `+1${digits}`;
}

/** The search text for the URL. Empty for a phone, because URLs must not contain personal data. */
export function searchInUrl(text: string): string {
  const filter = searched(text);
  return filter === null || filter.phone !== undefined || filter.lastFour !== undefined ? "" : text.trim();
}

const statuses = ["succeeded", "refused", "broken"] as const;
const ranges = ["hour", "day", "week"] as const;

/** The filter from the URL's query and the search text. */
export function filterOf(query: URLSearchParams, search: string): LogFilter | null {
  const text = searched(search);
  if (text === null) return null;
  const status = statuses.find((one) => one === query.get("status"));
  const range = ranges.find((one) => one === query.get("range"));
  const [from, to] = [instantIn(query, "from"), instantIn(query, "to")];
  return {
    ...text,
    ...(status === undefined ? {} : { status }),
    ...(range === undefined ? {} : { range }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

function instantIn(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name) ?? "";
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}
