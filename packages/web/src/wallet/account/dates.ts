/** A readable day in the person's time zone. */
export function dayText(at: number, language: string): string {
  return new Date(at).toLocaleDateString(language, { dateStyle: "medium" });
}

export function timeText(at: number, language: string): string {
  return new Date(at).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}

export function hourText(at: number, language: string): string {
  return new Date(at).toLocaleTimeString(language, { timeStyle: "short" });
}
