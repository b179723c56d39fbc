import type { TSchema } from "typebox";
import { IdentityAnswer, IdentityQuestion } from "../sources/identity.ts";
import { RiskAnswer, RiskQuestion } from "../sources/risk.ts";
import type { OpenApiDocument } from "./document.ts";
import { withMeanings } from "./value-meanings.ts";

const header = (name: string, required: boolean, description: string) => ({
  name,
  in: "header",
  required,
  description,
  schema: { type: "string", maxLength: 200 },
});
const signed = [
  header(
    "Countersign-Timestamp",
    true,
    "Unix time in seconds. Answer 401 to a request that is more than 300 seconds off.",
  ),
  header(
    "Countersign-Signature",
    true,
    "`v1=` and lower-case hex of HMAC-SHA256 with the shared secret over `timestamp.body`, with the raw body. Answer 401 to any other.",
  ),
  header("Idempotency-Key", true, "A repeated request has the same key: process and charge it only once."),
];
const retryAfter = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 1 } },
};
const json = (schema: TSchema, example: unknown) => ({ "application/json": { schema, example } });

/** The parts of the document that differ between sources. */
type SourceDocument = {
  title: string;
  description: string;
  id: string;
  question: { schema: TSchema; example: unknown };
  answer: { schema: TSchema; example: unknown };
};

/** The document of a source: one signed request and its response. Operators implement it as an adapter to a vendor. */
function source({ title, description, id, question, answer }: SourceDocument) {
  return {
    openapi: "3.1.0",
    info: { title, version: "1.0", description, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [{ url: "https://source.example", description: "The operator's URL" }],
    tags: [{ name: "source", description: "What the service asks and your adapter answers." }],
    paths: withMeanings({
      "/": {
        post: {
          operationId: id,
          tags: ["source"],
          summary: title,
          description: `${description} The service ignores the body of any other answer than 200.`,
          security: [],
          parameters: signed,
          requestBody: { required: true, content: json(question.schema, question.example) },
          responses: {
            "200": {
              description: "The answer. It names the requested phone.",
              content: json(answer.schema, answer.example),
            },
            "401": { description: "The signature is missing, wrong or old." },
            "429": { description: "Too many requests; `Retry-After` says when to try again.", headers: retryAfter },
            "503": { description: "Nothing was done; `Retry-After` says when to try again.", headers: retryAfter },
          },
        },
      },
    }),
    components: {},
  } satisfies OpenApiDocument;
}

const phone = "+12125550010";
const identityQuestion: IdentityQuestion = {
  phone,
  inputs: { birthDate: "1989-08-01" },
  compare: ["birthDate"],
  narrow: [],
};
const identityAnswer: IdentityAnswer = {
  phone,
  kind: "found",
  compared: ["birthDate"],
  credentials: [
    {
      type: "FullNameCredential",
      verificationMethod: "phone_carrier",
      issuanceDate: 1_767_225_600_000,
      children: [
        { type: "FirstNameCredential", value: "Richard" },
        { type: "LastNameCredential", value: "Hendricks" },
      ],
    },
    { type: "BirthDateCredential", issuanceDate: 1_767_225_600_000, value: "1989-08-01" },
  ],
};
const riskQuestion: RiskQuestion = { phone, email: "richard@example.com" };
const riskAnswer: RiskAnswer = {
  phone,
  score: 120,
  reasonCodes: ["OCR10021"],
  signals: {
    phone: { carrier: { id: 1, name: "Example Wireless" }, reasonCodes: ["OCR20004"] },
    email: { reasonCodes: [] },
    deviceIp: { reasonCodes: [] },
  },
};

/** Committed as `docs/api/identity-source.json`. */
export function identitySourceDocument(): OpenApiDocument {
  return source({
    title: "Countersign identity source",
    description: "The interface of a source of identity data. The operator implements it in front of a data vendor.",
    id: "lookUp",
    question: { schema: IdentityQuestion, example: identityQuestion },
    answer: { schema: IdentityAnswer, example: identityAnswer },
  });
}

/** Committed as `docs/api/risk-source.json`. */
export function riskSourceDocument(): OpenApiDocument {
  return source({
    title: "Countersign risk source",
    description: "The interface of a source of risk scores. The operator implements it in front of a risk vendor.",
    id: "score",
    question: { schema: RiskQuestion, example: riskQuestion },
    answer: { schema: RiskAnswer, example: riskAnswer },
  });
}
