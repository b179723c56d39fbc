import type { CredentialRequest } from "@countersign/contract/credential";
import type { TrustedRequest, V1Request } from "@countersign/contract/v1";
import type { SmsFormat } from "@countersign/contract/verification";
import type { BeginOneClick } from "../../domain/signup/begin.ts";
import type { OneClickAsk } from "../../domain/signup/start.ts";
import { readAdditionalInputs } from "../additional-inputs.ts";

/** Plain type names are requests for just that. */
function requests(given: V1Request["credentialRequests"]): CredentialRequest[] | undefined {
  return given?.map((one) => (typeof one === "string" ? { type: one } : one));
}

/** v1's body in the domain's words. */
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

export function readTrusted(body: TrustedRequest): OneClickAsk {
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
