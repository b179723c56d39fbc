import { catalog, type ErrorCode, type ErrorData, type ErrorEnvelope, statusNames } from "./errors.ts";

type Member = { [Code in ErrorCode]: keyof ErrorData<Code> }[ErrorCode];

/** One example value for each member of an error's `data`. A new member without an example does not compile. */
const memberExamples: Record<Member, unknown> = {
  errors: [{ path: "body.phone", message: "Use text." }],
  identifiers: { phone: "+12125550010" },
  verificationMethod: { phone: "customer_otp" },
  riskSignals: { overall: { score: 0, level: "low", recommendation: "allow" } },
  additionalInputs: ["birthDate", "ssn4"],
  identityUuid: "5f0c2a52-9d3e-4b86-8f4a-7c1f6e0d9a21",
  inputAttemptsExceeded: ["birthDate"],
  attemptsRemaining: 2,
  expiresAt: 1_767_225_900_000,
  phone: '"phone" is required',
  reason: "expired",
};

/** Full messages where the catalog has only the fixed part, and values that only one code uses. */
const particular: Partial<Record<ErrorCode, { message?: string; data?: Partial<Record<Member, unknown>> }>> = {
  ERR001: { message: "Validation failed" },
  OCE011: { message: "Additional information is required to source data for user: birthDate, ssn4" },
  OCE012: { message: "BirthDate mismatch." },
  OCE017: { data: { riskSignals: { overall: { score: 900, level: "high", recommendation: "block" } } } },
  OCV002: { data: { attemptsRemaining: 0 } },
  OCV007: { data: { attemptsRemaining: 0 } },
  OCV011: { message: "Autofill not eligible." },
};

const requestId = "3f2a9c1e-58d4-4c0b-9a7e-6b1d2f8e4c55";

/** An example envelope for a code, with every member of `data`. For documentation and tests. */
export function errorExample(errorCode: ErrorCode): ErrorEnvelope {
  const row = catalog[errorCode];
  const { message = row.message, data = {} } = particular[errorCode] ?? {};
  const values: Record<string, unknown> = { ...memberExamples, ...data };
  const members = Object.keys(row.data.properties).map((name) => [name, values[name]]);
  return envelope(row.status, message, { errorCode, ...Object.fromEntries(members), requestId });
}

/** An example envelope for an error without a code. */
export function refusalExample(status: number): ErrorEnvelope {
  return envelope(status, refusalMessages[status] ?? "The request was refused.", { requestId });
}

const refusalMessages: Record<number, string> = {
  401: "A valid API key is required in the Authorization header.",
  403: "The brand is not approved for this.",
  404: "There is nothing under this address.",
  413: "The body is larger than this endpoint accepts.",
  415: "The content type of the body is not supported.",
  429: "Too many requests; wait and try again.",
};

function envelope(status: number, message: string, data: ErrorEnvelope["data"]): ErrorEnvelope {
  const { name, className } = statusName(status);
  return { name, message, code: status, className, data };
}

/** The `name` and `className` of a status. Throws for a status that the catalog does not list. */
export function statusName(status: number): { name: string; className: string } {
  const found = statusNames[status];
  if (found === undefined) throw new Error(`Status ${status} has no name in the error catalog.`);
  return found;
}
