/** Texts of the sandbox pages. */
export const sandboxWords = {
  outbox: {
    title: "Outbox",
    lead: "The sandbox sends nothing. Your brands' texts and the emails to you are listed here for a day. You cannot see your colleagues' emails.",
    refresh: "Refresh",
    search: "Search",
    searchExample: "Phone, brand, code or words of a message",
    found: (found: number, all: number) =>
      `${found === all ? "" : `${found} of `}${all} ${all === 1 ? "message" : "messages"}`,
    none: "Nothing sent yet",
    noneLead: "Deliver a verification in the sandbox, and its text appears here.",
    to: (to: string) => `To ${to}`,
    service: "Countersign",
    code: "Copy code",
    copied: "Copied.",
    role: "Texts contain codes, so this requires the role Developer.",
  },
  clock: {
    title: "Clock",
    lead: "Move the sandbox's time forward to see codes expire, data being erased and webhooks being retried. Everyone on this service shares this clock.",
    now: "Sandbox time",
    isAhead: (duration: string) => `The sandbox is ${duration} ahead of real time.`,
    ahead: "Ahead of real time",
    real: "Not at all",
    by: "Forward by",
    amount: "How many",
    unit: "Unit",
    units: [
      { value: "60000", label: "Minutes" },
      { value: "3600000", label: "Hours" },
      { value: "86400000", label: "Days" },
    ],
    move: "Move forward",
    to: "Forward to a date and time",
    instant: "Date and time",
    go: "Move to this time",
    wrongAmount: "Enter a whole number above 0, and at most 400 days.",
    wrongInstant: "Enter a time in the next 400 days.",
    home: "Back to real time",
    moved: (jobs: number) => (jobs === 1 ? "Moved. One job ran." : `Moved. ${jobs} jobs ran.`),
    atHome: "The sandbox is on real time again.",
    off: "This clock shows real time and cannot be moved, because the operator has SANDBOX_CLOCK off.",
    role: "Moving the clock requires the role Developer.",
    duration: (ms: number) => {
      const minutes = Math.round(ms / 60_000);
      const parts = [
        [Math.floor(minutes / 1440), "d"],
        [Math.floor((minutes % 1440) / 60), "h"],
        [minutes % 60, "min"],
      ] as const;
      return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(" ");
    },
  },
};
