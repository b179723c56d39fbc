import type { CredentialRequest } from "@countersign/contract/credential";
import type { TrustedRequest, V1Request } from "@countersign/contract/v1";
import type { SmsFormat } from "@countersign/contract/verification";
import { invalid, type Problem } from "../../domain/failure.ts";
import type { JourneyName } from "../../domain/journey.ts";
import { requiredWords } from "../../domain/problem-words.ts";
import type { ReportedEdits } from "../../domain/signup/api/report-edits.ts";
import type { BeginOneClick } from "../../domain/signup/begin.ts";
import type { NewOneClick } from "../../domain/signup/start.ts";
import { readAdditionalInputs } from "../generations.ts";

/** A plain type name requests that type. */
function requests(given: V1Request["credentialRequests"]): CredentialRequest[] | undefined {
  return given?.map((one) => (typeof one === "string" ? { type: one } : one));
}

/** The journey that the call begins. A brand with its own pages must name the birth date. */
export function readJourney({ isHosted = true, birthDate }: V1Request): JourneyName {
  if (isHosted) return "v1Hosted";
  if (birthDate === undefined) throw invalid([{ path: "body.birthDate", message: requiredWords }]);
  return "v1NonHosted";
}

/** Reads a v1 body. */
export function readBegin(body: V1Request): BeginOneClick {
  const { phone, email, content, redirectUrl } = body;
  return {
    phone,
    inputs: { email, ...readAdditionalInputs(body) },
    credentialRequests: requests(body.credentialRequests),
    page: {
      title: content?.title,
      description: content?.description ?? "Make sure everything is correct:",
      redirectUrl,
    },
  };
}

export function readTrusted(body: TrustedRequest): NewOneClick {
  const { phone, email, credentialRequests } = body;
  const inputs = { email, ...readAdditionalInputs(body) };
  return { phone, inputs, credentialRequests: requests(credentialRequests) };
}

const formats: Record<NonNullable<V1Request["verificationOptions"]>, SmsFormat> = {
  only_link: "link",
  only_code: "code",
  both_link_and_code: "codeAndLink",
};

export function readFormat({ verificationOptions }: V1Request): SmsFormat {
  return formats[verificationOptions ?? "only_code"];
}

/**
 * Merges edits under dotted keys (`fullName.firstName`) into their composites. Rejects a value that is given in both
 * forms.
 */
export function readEdits(given: ReportedEdits): ReportedEdits {
  const edits = new Map<string, string | Map<string, string>>();
  const problems: Problem[] = [];
  for (const [key, value] of Object.entries(given)) {
    const path = `body.credentials.${key}`;
    const [whole = "", ...rest] = key.split(".");
    const part = rest.length > 0 ? rest.join(".") : null;
    if (part !== null && typeof value !== "string") {
      problems.push({ path, message: "Use text." });
      continue;
    }
    const added =
      typeof value === "string" ? (part === null ? value : [[part, value] as const]) : Object.entries(value);
    const before = edits.get(whole);
    if (before === undefined) {
      edits.set(whole, typeof added === "string" ? added : new Map(added));
    } else if (typeof before === "string" || typeof added === "string" || added.some(([name]) => before.has(name))) {
      problems.push({ path, message: "Send it once: as a dotted key or in its composite." });
    } else {
      for (const [name, text] of added) before.set(name, text);
    }
  }
  if (problems.length > 0) throw invalid(problems);
  return Object.fromEntries(
    [...edits].map(([key, edit]) => [key, typeof edit === "string" ? edit : Object.fromEntries(edit)]),
  );
}
