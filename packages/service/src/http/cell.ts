import type { Deps, HomeDeps } from "../domain/deps.ts";

/** What identifies a person in a request: an object about them, or their phone. */
type Naming = { identityUuid?: string | undefined; verificationUuid?: string | undefined; phone?: string | undefined };

/** The cell of the person in a request. If the request names nobody, any cell can handle it. */
export async function cellOf({ cells, phones }: HomeDeps, named: Naming, other = ""): Promise<Deps> {
  const uuid = named.identityUuid ?? named.verificationUuid;
  const judged = named.phone === undefined ? null : phones.judge(named.phone);
  const phone = judged?.kind === "supported" ? judged.phone : undefined;
  if (uuid !== undefined) return await cells.ofUuid(uuid, phone);
  return phone === undefined ? cells.ofText(other) : await cells.ofPhone(phone);
}

/** What identifies a person in a body that is not validated yet. Ignores uuids next to a phone, as some flows do. */
export function personNamedIn(body: unknown): Naming {
  const text = (name: string) => {
    const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const phone = text("phone");
  return phone === undefined
    ? { identityUuid: text("identityUuid"), verificationUuid: text("verificationUuid") }
    : { phone };
}
