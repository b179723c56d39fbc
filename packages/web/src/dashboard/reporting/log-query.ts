import type { LogFilter } from "@countersign/contract/dashboard-reporting";
import { digitsIn, plainPhone, readPhone } from "@countersign/contract/typed-text";

/** A text with this many digits may be a phone without its area code. */
const phoneDigits = 7;

/** The filter of a search text. Null if the text can match nothing. */
export function searched(text: string): LogFilter | null {
  const typed = plainPhone(text);
  if (typed === "") return {};
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(typed)) return { uuid: typed };
  if (/^\d{3}$/.test(typed)) return { statusCode: Number(typed) };
  if (/^\d{4}$/.test(typed)) return { lastFour: typed };
  if (/^\+?[\d\s()./-]{10,20}$/.test(typed)) return { phone: readPhone(typed) ?? foreignPhone(typed) };
  if (/^[a-z]{2,4}\d{3}$/i.test(typed)) return { errorCode: typed.toUpperCase() };
  // So many digits may be a phone. They must not be put into the URL as an endpoint.
  const digits = typed.replace(/\D/g, "").length;
  return /^[\w/:.{}-]{1,200}$/.test(typed) && digits < phoneDigits && /[a-z]/i.test(typed) ? { route: typed } : null;
}

/** A number that is no US number. No call has one, but its digits must not be put into the URL as an endpoint. */
const foreignPhone = (typed: string) => `+${digitsIn(typed)}`;

/** The search text for the URL. Empty for a phone, because URLs must not contain personal data. */
export function searchInUrl(text: string): string {
  const filter = searched(text);
  return filter === null || filter.phone !== undefined || filter.lastFour !== undefined ? "" : text.trim();
}

const statuses = ["succeeded", "failed", "refused", "broken"] as const;
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
