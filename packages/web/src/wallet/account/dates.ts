import { deviceNow } from "../../ui/now.ts";

/** A readable day in the person's time zone. */
export function dayText(at: number, language: string): string {
  return new Date(at).toLocaleDateString(language, dayFormat(at));
}

export function timeText(at: number, language: string): string {
  return new Date(at).toLocaleString(language, { ...dayFormat(at), hour: "numeric", minute: "2-digit" });
}

/** The current year goes without saying. */
function dayFormat(at: number): Intl.DateTimeFormatOptions {
  const isThisYear = new Date(at).getFullYear() === new Date(deviceNow()).getFullYear();
  return { ...(isThisYear ? {} : { year: "numeric" }), month: "short", day: "numeric" };
}

export function hourText(at: number, language: string): string {
  return new Date(at).toLocaleTimeString(language, { timeStyle: "short" });
}
