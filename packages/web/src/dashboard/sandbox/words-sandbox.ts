/** Texts of the sandbox pages. */
export const sandboxWords = {
  outbox: {
    title: "Outbox",
    lead: "Nothing is sent in the sandbox: texts of your brands stand here for a day, and e-mails to you. Nobody reads a colleague's e-mails.",
    refresh: "Refresh",
    none: "Nothing was sent yet",
    noneLead: "Deliver a verification in the sandbox, and its text appears here.",
    to: (to: string) => `To ${to}`,
    service: "Countersign",
    code: "Copy code",
    copied: "Copied.",
    role: "Texts hold codes: this needs the role Developer.",
  },
  clock: {
    title: "Clock",
    lead: "Move the sandbox's time forward to see codes expire, data be erased and webhooks be tried again. It is one clock for everybody on this service.",
    now: "Sandbox time",
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
    to: "Forward to an instant",
    instant: "Date and time",
    go: "Go there",
    wrongAmount: "A whole number above zero, and not more than 400 days.",
    wrongInstant: "An instant that lies ahead, at most 400 days.",
    home: "Back to real time",
    moved: (jobs: number) => (jobs === 1 ? "Moved. One job ran." : `Moved. ${jobs} jobs ran.`),
    atHome: "The sandbox is on real time again.",
    off: "The clock stands on real time here: the operator has not switched it on (SANDBOX_CLOCK).",
    role: "Moving the clock needs the role Developer.",
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
