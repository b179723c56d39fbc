/**
 * The printable page of all data. Converts its times from UTC to the person's time zone, and leaves the page when the
 * proof has ended or another person is signed in.
 */
import "../../ui/account.css";
import { unbroken } from "@countersign/contract/text-version";
import { deviceNow } from "../../ui/now.ts";
import { onTold } from "./tabs.ts";

const { account, shownMs } = document.querySelector<HTMLElement>("[data-account]")?.dataset ?? {};
const leave = () => window.location.replace("/");
/** When the proof ends on this device. It counts from before the request, so it is never late. */
let shownUntil = 0;
let timer = 0;
function showUntil(at: number): void {
  shownUntil = at;
  window.clearTimeout(timer);
  timer = window.setTimeout(leave, at - deviceNow());
}
showUntil(performance.timeOrigin + Number(shownMs));

/** Leaves unless this person may still see the values. Without an answer, the page stays until the proof ends. */
async function check(): Promise<void> {
  if (deviceNow() >= shownUntil) return leave();
  const asked = deviceNow();
  const response = await fetch("/api/sign-in").catch(() => null);
  if (!response?.ok) return;
  const { account: now } = await response.json();
  if (now?.account !== account || now.provenUntil === undefined) return leave();
  showUntil(asked + now.provenUntil - now.now);
}
// Others may look at the page when it is shown again.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void check();
});
// Another tab may have ended the proof or the sign-in, or have renewed the proof.
onTold(() => void check());

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
