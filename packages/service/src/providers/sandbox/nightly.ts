/** When the sandbox forgets what was issued to its fixed people: 05:00 UTC, milliseconds after midnight. */
export const nightlyWipeTimeOfDayMs = 5 * 60 * 60 * 1000;
