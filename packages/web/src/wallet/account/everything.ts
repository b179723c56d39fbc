/** Styles of the readable page of all data, and its times in the person's time zone instead of UTC. */
import "../../ui/account.css";

const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
for (const time of document.querySelectorAll("time")) time.textContent = format.format(new Date(time.dateTime));
for (const note of document.querySelectorAll<HTMLElement>("[data-zone]"))
  note.textContent = (note.dataset.zone ?? "").replace("{zone}", format.resolvedOptions().timeZone);
