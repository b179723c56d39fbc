import type { Weakened } from "./mutant.ts";

const source = "packages/service/src";
const domain = `${source}/domain`;
const revealed = "dashboard-deliveries: members of a stopped or unapproved brand";

/**
 * Mutants of restrictions: the operator's on brands, those on a person's search for insurance, and those on the content
 * of bodies and the request log.
 */
export const restrictions: Weakened[] = [
  {
    area: "restrictions",
    file: `${source}/http/unknown-members.ts`,
    mutants: [
      {
        from: "Reflect.deleteProperty(value, name);",
        to: "",
        tests: [
          "undeclared-members: a brand cannot choose the words",
          "undeclared-members: undeclared members are removed",
        ],
      },
    ],
  },
  {
    area: "restrictions",
    file: `${source}/store/request-log.ts`,
    mutants: [
      {
        from: "v.brand_uuid = call.brand_uuid",
        to: "v.brand_uuid is not null",
        tests: ["dashboard-reporting: a refused call does not tell"],
      },
    ],
  },
  {
    area: "restrictions",
    file: `${domain}/brand/permission.ts`,
    mutants: [
      { from: `!approvals.has("production")`, to: "false", tests: [revealed] },
      { from: `mode === "stopped"`, to: "false", tests: [revealed] },
      {
        from: `mode === "readOnly" && level === "act"`,
        to: "false",
        tests: ["brand-mode: a read-only brand cannot read with a code"],
      },
    ],
  },
  {
    area: "restrictions",
    file: `${domain}/signup/api/read.ts`,
    mutants: [
      {
        from: `if (isUndecided) assertMay(caller.brand, "act");`,
        to: "",
        tests: ["brand-mode: a read-only brand cannot read with a code"],
      },
    ],
  },
  {
    area: "restrictions",
    file: `${domain}/verification/texts/send-text.ts`,
    mutants: [
      {
        from: "stopped || !queued.mayBeSent",
        to: "stopped",
        tests: ["callbacks: a queued text is not sent after"],
      },
    ],
  },
  {
    area: "restrictions",
    file: `${domain}/brand/brand-rows.ts`,
    mutants: [
      {
        from: `brand.approvals.has("issuance") && may(brand, "read")`,
        to: `brand.approvals.has("issuance")`,
        tests: ["brand-mode: credentials of a brand that is"],
      },
    ],
  },
  {
    area: "restrictions",
    file: `${domain}/retention/erase-one-clicks.ts`,
    mutants: [
      {
        from: "await endDeliveries(trx, { subjectUuids: uuids }, now);",
        to: "",
        tests: ["dashboard-deliveries: the body of a push that fails"],
      },
    ],
  },
  {
    area: "restrictions",
    file: `${domain}/webhook/inspect.ts`,
    mutants: [
      {
        from: "  await record((await find()).row);\n",
        to: "",
        tests: ["dashboard-deliveries: a body that a member reveals or sends again counts"],
      },
    ],
  },
  {
    area: "restrictions",
    file: `${domain}/health/insurance.ts`,
    mutants: [
      {
        from: "if (refused.length > 0)",
        to: "if (refused.length > 3)",
        tests: ["session-health: a person cannot replace a name or"],
      },
      {
        from: "question.isHolder === true ? plans : plans.map(withoutMember)",
        to: "plans",
        tests: ["session-health: a person who typed the name sees"],
      },
    ],
  },
  {
    area: "restrictions",
    file: `${domain}/verification/limits/use-count-rows.ts`,
    mutants: [
      {
        from: "=> (openPage ?",
        to: "=> (false ?",
        tests: [
          "caps: texts that visitors of an SDK page",
          "openid-attacks: interaction: texts that strangers request",
        ],
      },
    ],
  },
];
