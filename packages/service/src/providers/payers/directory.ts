import type { DirectoryPayer, PayerDirectory } from "../../domain/ports.ts";
import table from "./directory.json" with { type: "json" };

const coverageTypes = ["medical", "dental", "vision"] as const;
const supports = ["SUPPORTED", "ENROLLMENT_REQUIRED", "NOT_SUPPORTED"] as const;

/** The payers in this project. The JSON file names their sources. */
export function bundledPayers(): PayerDirectory {
  const payers = table.payers.map((row): DirectoryPayer => {
    const support = supports.find((one) => one === row.eligibilitySupport);
    return {
      ...row,
      coverageTypes: coverageTypes.filter((type) => row.coverageTypes.includes(type)),
      eligibilitySupport: support ?? "NOT_SUPPORTED",
    };
  });
  return { payers };
}
