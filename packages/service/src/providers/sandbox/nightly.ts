/** When the sandbox deletes what was issued to its fixed test people: 05:00 UTC, in milliseconds after midnight. */
export const nightlyWipeTimeOfDayMs = 5 * 60 * 60 * 1000;
