import { unbroken } from "@countersign/contract/text-version";
import { deviceNow } from "../../ui/now.ts";

/** A day in the person's time zone and in US style, without line breaks. */
export function dayText(at: number, language: string): string {
  return unbroken(new Date(at).toLocaleDateString(`${language}-US`, dayFormat(at)));
}

export function timeText(at: number, language: string): string {
  const format = { ...dayFormat(at), hour: "numeric", minute: "2-digit" } as const;
  return unbroken(new Date(at).toLocaleString(`${language}-US`, format));
}

/** Omits the year if it is the current one. */
function dayFormat(at: number): Intl.DateTimeFormatOptions {
  const isThisYear = new Date(at).getFullYear() === new Date(deviceNow()).getFullYear();
  return { ...(isThisYear ? {} : { year: "numeric" }), month: "short", day: "numeric" };
}

export function clockText(at: number, language: string): string {
  return unbroken(new Date(at).toLocaleTimeString(`${language}-US`, { timeStyle: "short" }));
}

/** A time of today or of tomorrow within a sentence, with its day. */
export function nextHourText(at: number, language: string): string {
  const isToday = new Date(at).toDateString() === new Date(deviceNow()).toDateString();
  const text = hourText(at, language);
  return language === "es" ? `${isToday ? "hoy" : "mañana"} a ${text}` : `${isToday ? "today" : "tomorrow"}, ${text}`;
}

/** A time of day within a sentence. In Spanish, it includes the article: las 2:00 p. m. */
export function hourText(at: number, language: string): string {
  const text = clockText(at, language);
  return language === "es" ? `${text.startsWith("1:") ? "la" : "las"}\u00a0${text}` : text;
}
