/** Styles of the readable page of all data, and its times in the person's time zone instead of UTC. */
import "../../ui/account.css";
import { unbroken } from "./dates.ts";

// A printed page contains what is folded on the screen.
let unfolded: HTMLDetailsElement[] = [];
window.addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("details")].filter((details) => !details.open);
  for (const folded of unfolded) folded.open = true;
});
window.addEventListener("afterprint", () => {
  for (const details of unfolded) details.open = false;
});

const format = new Intl.DateTimeFormat(`${document.documentElement.lang}-US`, {
  dateStyle: "medium",
  timeStyle: "short",
});
for (const time of document.querySelectorAll("time"))
  time.textContent = unbroken(format.format(new Date(time.dateTime)));
for (const note of document.querySelectorAll<HTMLElement>("[data-zone]"))
  note.textContent = (note.dataset.zone ?? "").replace("{zone}", format.resolvedOptions().timeZone);
