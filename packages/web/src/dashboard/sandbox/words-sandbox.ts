import { hourMs, minuteMs } from "@countersign/contract/time";

/** Texts of the sandbox pages. */
export const sandboxWords = {
  outbox: {
    title: "Outbox",
    lead: "The sandbox sends no texts or emails. Your brands’ texts and your own emails are kept here for a day.",
    refresh: "Refresh",
    search: "Search",
    brand: "Brand",
    anyBrand: "All brands",
    searchExample: "Phone, brand, code or words of a message",
    found: (found: number, all: number) =>
      `${found === all ? "" : `${found} of `}${all} ${all === 1 ? "message" : "messages"}`,
    nothing: "No message found",
    nothingLead: "Clear the search and the brand to see every message.",
    none: "No texts or emails yet",
    noneLead: "Start a verification in the sandbox. Its code appears here.",
    to: (to: string) => `To ${to}`,
    journey: "Open its journey",
    service: "Countersign",
    code: "Copy code",
    copied: "Copied.",
    role: "Texts contain codes, so only a developer or an owner can read them.",
  },
  clock: {
    title: "Clock",
    lead: "Move the sandbox’s time forward, and codes expire, data is erased and webhooks are retried. You cannot move it back, except to real time. Everyone on this service shares the clock.",
    now: "Sandbox time",
    sandboxIs: "Sandbox is ",
    isAhead: (duration: string) => `${duration} ahead`,
    isReal: "Real time",
    says: (duration: string) => `The sandbox is ${duration} ahead of real time.`,
    open: "Open the clock",
    ahead: "Offset",
    real: "None (real time)",
    by: "Move forward by",
    presets: [
      { label: "+1 hour", ms: hourMs },
      { label: "+1 day", ms: 24 * hourMs },
      { label: "+7 days", ms: 7 * 24 * hourMs },
      { label: "+30 days", ms: 30 * 24 * hourMs },
      { label: "+90 days", ms: 90 * 24 * hourMs },
    ],
    presetHint: "A move by 30 or 90 days erases expired data for everyone. It cannot be undone.",
    ask: (by: string) => `Move everyone’s sandbox ${by.replace("+", "")} ahead?`,
    askText: "Data that expires is erased for good.",
    amount: "How many",
    unit: "Unit",
    units: [
      { value: "60000", label: "Minutes" },
      { value: "3600000", label: "Hours" },
      { value: "86400000", label: "Days" },
    ],
    move: "Move forward",
    to: "Move to a date and time",
    instant: "Date and time",
    go: "Move to this time",
    wrongAmount: "Enter a whole number above 0, and at most 400 days.",
    wrongInstant: "Enter a time in the next 400 days.",
    home: "Back to real time",
    moving: "Moving the clock and running the jobs that are due…",
    moved: (jobs: number) => (jobs === 1 ? "Moved. One job ran." : `Moved. ${jobs} jobs ran.`),
    atHome: "The sandbox is back on real time.",
    off: "You cannot move this clock, because the operator set SANDBOX_CLOCK to off. It shows real time.",
    role: "You can read the clock. Only a developer or an owner can move it.",
    duration: (ms: number) => {
      const minutes = Math.round(ms / minuteMs);
      const parts = [
        [Math.floor(minutes / 1440), "d"],
        [Math.floor((minutes % 1440) / 60), "h"],
        [minutes % 60, "min"],
      ] as const;
      return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(" ");
    },
  },
};
