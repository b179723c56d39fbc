/**
 * The printable page of all data. Converts its times from UTC to the person's time zone, and leaves the page when the
 * proof has ended.
 */
import "../../ui/account.css";
import { unbroken } from "@countersign/contract/text-version";

// Others may look at the page when it is shown again. Without a connection, it stays as it is.
document.addEventListener("visibilitychange", async () => {
  if (document.visibilityState !== "visible") return;
  const response = await fetch("/api/sign-in").catch(() => null);
  if (response?.ok && (await response.json()).account?.provenUntil === undefined) window.location.replace("/");
});

// Unfold everything for printing.
let unfolded: HTMLDetailsElement[] = [];
window.addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details")].filter((details) => !details.open);
  for (const folded of unfolded) folded.open = true;
});
window.addEventListener("afterprint", () => {
  for (const details of unfolded) details.open = false;
});

const locale = `${document.documentElement.lang}-US`;
const whole = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
const formats = new Map([
  ["day", new Intl.DateTimeFormat(locale, { dateStyle: "medium" })],
  ["clock", new Intl.DateTimeFormat(locale, { timeStyle: "short" })],
]);
for (const time of document.querySelectorAll("time")) {
  const format = formats.get(time.dataset.as ?? "") ?? whole;
  time.textContent = unbroken(format.format(new Date(time.dateTime)));
}
// Show a day only above its first item.
let before: string | null = null;
for (const day of document.querySelectorAll<HTMLElement>(".day")) {
  day.hidden = day.textContent === before;
  before = day.textContent;
}
for (const note of document.querySelectorAll<HTMLElement>("[data-zone]"))
  note.textContent = (note.dataset.zone ?? "").replace("{zone}", whole.resolvedOptions().timeZone);
