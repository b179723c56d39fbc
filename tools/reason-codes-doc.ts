import { reasonCodes } from "@countersign/contract/reason-codes";

const families = [
  { start: "OCR1", title: "Everything together", where: "`overall.reasonCodes`" },
  { start: "OCR20", title: "Phone: activity and number range", where: "`phone.reasonCodes`" },
  { start: "OCR21", title: "Phone: risky services", where: "`phone.reasonCodes`" },
  { start: "OCR22", title: "Phone: last seen", where: "`phone.reasonCodes`" },
  { start: "OCR29", title: "Phone: this service's own rules", where: "`phone.reasonCodes`" },
  { start: "OCR3", title: "Phone: other", where: "`phone.reasonCodes`" },
  { start: "OCR4", title: "Phone: type of number", where: "`phone.reasonCodes`" },
  { start: "OCR5", title: "IP address of the device", where: "`deviceIp.reasonCodes`" },
  { start: "OCR6", title: "Email address", where: "`email.reasonCodes`" },
];
const effects = { risk: "Raises the risk", trust: "Lowers the risk", neutral: "Neutral" };

const head = `---
title: Reason codes
order: 6
---

<!-- Generated from packages/contract/src/brand-api/reason-codes.ts by \`npm run generate\`. -->

# Reason codes

This page explains what each code in \`riskSignals\` means. Reason codes explain the risk score; the score and the recommendation decide. Your
brand gets them if its add-on for reason codes is on and, in production, if the operator gave it the approval \`addOns\`.

A **risky service** is a service that typically deals with numbers that are likely to be malicious. The number is the risk, not the
service. **Numbers near this one** are numbers of the same range. In production, the codes come from your risk source. Without one,
[this service's own rules](../guides/vendors.md#risk) give the codes whose second digit is 9, such as \`OCR29001\`.

| Score | Level | Recommendation | What happens |
|---|---|---|---|
| 0 to 200 | \`low\` | \`allow\` | the 1-Click continues |
| 201 to 400 | \`medium-low\` | \`allow\` | the 1-Click continues |
| 401 to 600 | \`medium\` | \`flag\` | the 1-Click continues; review it |
| 601 to 800 | \`medium-high\` | \`block\` | [OCE017](errors.md#oce017) |
| 801 to 1000 | \`high\` | \`block\` | [OCE017](errors.md#oce017) |`;

const next = `## What to do next

- [Test people](test-people.md#risk) have each level of risk in the sandbox.
- [OCE017](errors.md#oce017): what your program gets above 600.`;

/** Generates `docs/reference/reason-codes.md`. Each code has its own heading, so that links and the search find it. */
export function reasonCodesMarkdown(): string {
  const sections = families.map(({ start, title, where }) => {
    const own = [...reasonCodes].filter(([code]) => code.startsWith(start));
    const entries = own.map(([code, { effect, meaning }]) => `### ${code}\n\n${effects[effect]}. ${meaning}`);
    return [`## ${title}`, `In ${where}.`, ...entries].join("\n\n");
  });
  const homeless = [...reasonCodes.keys()].filter((code) => !families.some(({ start }) => code.startsWith(start)));
  if (homeless.length > 0) throw new Error(`tools/reason-codes-doc.ts has no family for ${homeless.join(", ")}.`);
  return `${[head, ...sections, next].join("\n\n")}\n`;
}
