/** Selects the cell with the data of whom or what a request is about. No other file of `http/` does. */
import type { About } from "@countersign/contract/endpoint";
import type { FastifyRequest } from "fastify";
import type { Deps, HomeDeps } from "../domain/deps.ts";
import { emailIndex } from "../domain/person.ts";
import { keyOwnerOf } from "./auth.ts";
import { PerRequest } from "./per-request.ts";

/** What leads to a cell. `text`: names nobody; the same text always leads to the same cell. */
type Lead =
  | { phone: string }
  | { email: string }
  | { uuid: string }
  | { token: string }
  | { issued: string; brandUuid: string }
  | { text: string };

/** The cell of the person or object that is named. For routes outside the contract, whose inputs have no declaration. */
export async function cellAbout(homeDeps: HomeDeps, lead: Lead): Promise<Deps> {
  const { cells, phones } = homeDeps;
  if ("uuid" in lead) return await cells.ofUuid(lead.uuid);
  if ("token" in lead) return cells.ofToken(lead.token);
  if ("issued" in lead) return await cells.ofIssued(lead.issued, lead.brandUuid);
  if ("email" in lead) return await cells.ofEmail(emailIndex(homeDeps, lead.email));
  if ("text" in lead) return cells.ofText(lead.text);
  const judged = phones.judge(lead.phone);
  // The flow refuses a phone that is not supported, in any cell.
  return judged.kind === "supported" ? await cells.ofPhone(judged.phone) : cells.ofText(lead.phone);
}

/** How a body names a person. A phone comes first: an object next to it may be another person's. */
function leadToPerson(body: unknown, otherwise: string): Lead {
  const phone = textIn(body, "phone");
  if (phone !== undefined) return { phone };
  const uuid = textIn(body, "identityUuid") ?? textIn(body, "verificationUuid");
  return uuid === undefined ? { text: otherwise } : { uuid };
}

const choices = new PerRequest<{ make(): Promise<Deps>; made?: Promise<Deps> }>("cell");

/** Declares what a request is about. Nothing is asked before `cellOf`. */
export function setAbout(homeDeps: HomeDeps, request: FastifyRequest, about: About | undefined): void {
  choices.set(request, { make: () => cellAbout(homeDeps, leadIn(request, about)) });
}

/**
 * The cell of a request, selected once. The request need not be validated yet. If it names nobody, any cell can handle
 * it.
 */
export async function cellOf(request: FastifyRequest): Promise<Deps> {
  const choice = choices.get(request);
  if (choice === undefined) throw new Error("the request's route has no cells");
  choice.made ??= choice.make();
  return await choice.made;
}

function leadIn(request: FastifyRequest, about: About | undefined): Lead {
  const { body, id } = request;
  if (about === undefined) return { text: id };
  if (about === "person") return leadToPerson(body, id);
  if (about === "recipient") {
    const [phone, email] = [textIn(body, "phone"), textIn(body, "email")];
    return phone !== undefined ? { phone } : email !== undefined ? { email } : { text: id };
  }
  if ("phone" in about) return withMember(request, about.phone, (phone) => ({ phone }));
  if ("uuid" in about) return withMember(request, about.uuid, (uuid) => ({ uuid }));
  if ("token" in about) return withMember(request, about.token, (token) => ({ token }));
  const brandUuid = keyOwnerOf(request)?.brand.uuid ?? "";
  return withMember(request, about.issued, (issued) => ({ issued, brandUuid }));
}

/** The lead of a member, named as `body.phone`. */
function withMember({ params, body, id }: FastifyRequest, member: string, leadOf: (text: string) => Lead): Lead {
  const [part, name = ""] = member.split(".");
  const text = textIn(part === "params" ? params : body, name);
  return text === undefined ? { text: id } : leadOf(text);
}

function textIn(values: unknown, name: string): string | undefined {
  const value: unknown = typeof values === "object" && values !== null ? Reflect.get(values, name) : undefined;
  return typeof value === "string" ? value : undefined;
}
