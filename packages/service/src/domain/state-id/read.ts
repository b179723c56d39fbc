/** Reads and verifies the state ID that a wallet app returned to the browser. */
import { isUuid } from "@countersign/contract/primitives";
import { dayMs } from "@countersign/contract/time";
import { DateOnly } from "@owf/mdoc";
import { noonOf } from "../day.ts";
import type { Deps } from "../deps.ts";
import { hasHidden } from "../hidden-characters.ts";
import { type Opened, openIso, openOpenid, responseIn } from "./answers.ts";
import type { StateIdProtocol, StateIdRequestContent } from "./ask.ts";
import { verifyDocument } from "./document.ts";
import { isoNamespace, type StateId, type StateIdElement } from "./elements.ts";
import { StateIdRefusal } from "./refusal.ts";
import { takeStateIdRequest } from "./request-rows.ts";
import { assertNotRevoked } from "./status.ts";

/** `protocol` and `data`: what the browser's `DigitalCredential` has. The rest: as given to `askForStateId`. */
export type StateIdAnswer = {
  requestUuid: string;
  subject: string;
  browser: string;
  origin: string;
  protocol: StateIdProtocol;
  data: unknown;
};

/**
 * Verifies an answer. The request ends, whatever its answer is, but only for its own browser, 1-Click and origin: a call
 * of another one changes nothing. Throws `StateIdRefusal`.
 */
export async function readStateId(deps: Deps, answer: StateIdAnswer): Promise<StateId> {
  const { requestUuid, subject, browser, origin, protocol, data } = answer;
  const bound = { uuid: requestUuid, oneClickUuid: subject, browser, origin };
  const content = isUuid(requestUuid) ? await takeStateIdRequest<StateIdRequestContent>(deps, bound) : null;
  if (content === null) throw new StateIdRefusal("over");
  // With a reader certificate, only signed requests were made. A page that asks without a signature is not ours.
  if (!content.protocols.includes(protocol)) throw new StateIdRefusal("unreadable", "a protocol that was not asked");
  const { response, transcript } = await open(content, { origin, protocol, data });
  const { stateIds } = deps.vendors;
  const at = deps.clock.now();
  const authorities = await stateIds.authorities();
  const document = await verifyDocument(response, { transcript, authorities, at });
  const { authority, status } = document;
  if (status !== null) await assertNotRevoked(stateIds, status, { authority, at });
  const all = document.values.get(isoNamespace) ?? new Map<string, unknown>();
  const expiresAt = Math.min(document.validUntil, expiryIn(all));
  if (expiresAt <= at) throw new StateIdRefusal("expired");
  const elements = elementsIn(all, content.elements);
  if (Object.keys(elements).length === 0) throw new StateIdRefusal("declined");
  return { elements, authority: { name: authority.name, jurisdiction: authority.jurisdiction }, expiresAt };
}

type Given = Pick<StateIdAnswer, "origin" | "protocol" | "data">;

function open({ openid, iso }: StateIdRequestContent, { origin, protocol, data }: Given): Promise<Opened> {
  const response = responseIn(data);
  return protocol === "org-iso-mdoc"
    ? openIso(response, { origin, ...iso })
    : openOpenid(response, { origin, ...openid });
}

/** The most characters of a text (ISO/IEC 18013-5, table 5). */
const textMax = 150;

/** The requested elements that are there, as text. Others are ignored. */
function elementsIn(values: ReadonlyMap<string, unknown>, wanted: readonly StateIdElement[]): StateId["elements"] {
  const entries = wanted.flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, textOf(value)] as const];
  });
  return Object.fromEntries(entries);
}

/** Dates are YYYY-MM-DD, also if they have a time. */
function textOf(value: unknown): string {
  const text =
    value instanceof DateOnly || value instanceof Date
      ? value.toISOString().slice(0, 10)
      : typeof value === "number"
        ? String(value)
        : value;
  if (typeof text !== "string" || text.length > textMax || hasHidden(text))
    throw new StateIdRefusal("unreadable", "an element of a wrong form");
  return text.trim();
}

/** When the day of `expiry_date` ends everywhere in the US, in Unix milliseconds. Infinity if it was not shared. */
function expiryIn(values: ReadonlyMap<string, unknown>): number {
  const value = values.get("expiry_date");
  if (value === undefined) return Infinity;
  const noon = noonOf(textOf(value));
  if (noon === null) throw new StateIdRefusal("unreadable", "an element of a wrong form");
  return Number(noon) + dayMs;
}
