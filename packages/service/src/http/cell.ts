import type { Deps, HomeDeps } from "../domain/deps.ts";

/** How a request names a person: by an object about them, or by their phone. */
type Naming = { identityUuid?: string | undefined; verificationUuid?: string | undefined; phone?: string | undefined };

/** The cell of the person that a request names. If it names none, the flow refuses it or begins in any cell. */
export async function cellOf({ cells, phones }: HomeDeps, named: Naming, other = ""): Promise<Deps> {
  const uuid = named.identityUuid ?? named.verificationUuid;
  const judged = named.phone === undefined ? null : phones.judge(named.phone);
  const phone = judged?.kind === "supported" ? judged.phone : undefined;
  if (uuid !== undefined) return await cells.ofUuid(uuid, phone);
  return phone === undefined ? cells.ofText(other) : await cells.ofPhone(phone);
}

/** How a body that is not validated yet names a person. Some flows ignore uuids beside a phone. */
export function namedIn(body: unknown): Naming {
  const text = (name: string) => {
    const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const phone = text("phone");
  return phone === undefined
    ? { identityUuid: text("identityUuid"), verificationUuid: text("verificationUuid") }
    : { phone };
}
