/** Styles of the printable page of all data. Also converts its times from UTC to the person's time zone. */
import "../../ui/account.css";
import { unbroken } from "@countersign/contract/text-version";

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
