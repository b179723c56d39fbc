import type { ReviewField } from "@countersign/contract/wallet";
import { multiValuesMax, select } from "../../credential/assemble.ts";
import type { RequestNode } from "../../credential/request.ts";
import type { HomeDeps } from "../../deps.ts";
import { lookUpPhone } from "../../look-up-phone.ts";
import type { Phone } from "../../ports.ts";
import { phoneCredential } from "../find-identity.ts";
import { reviewOf } from "./review.ts";

/** What a person would review for these requests. Nothing is stored, shared or recorded. */
export async function previewOf(deps: HomeDeps, phone: Phone, requestTree: RequestNode[]): Promise<ReviewField[]> {
  const answer = await lookUpPhone(deps, phone);
  const own = phoneCredential(deps, { phoneMethod: "otp", facts: { phone } });
  const available = answer.kind === "found" ? [own, ...answer.credentials] : [own];
  const options = { valuesMax: multiValuesMax, now: deps.clock.now() };
  return await reviewOf(deps, { facts: { credentials: select(requestTree, available, options) }, requestTree });
}
