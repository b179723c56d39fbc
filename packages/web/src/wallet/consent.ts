/** The version of the words below and of those in `words-*.ts` that a decision quotes; a new one for every change. */
export const consentVersion = "2026-11";
