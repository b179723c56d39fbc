import assert from "node:assert/strict";
import test from "node:test";
import type { IdentitySource, Phone } from "../../../domain/ports.ts";

/** A source and the data it has about one person. */
export type IdentityCase = {
  source: IdentitySource;
  phone: Phone;
  birthDate: string;
  /** A phone that the source does not know. */
  nobody: Phone;
  close(): Promise<void>;
};

/** Tests that every identity source adapter must pass. */
export function identityConformance(name: string, make: () => Promise<IdentityCase>): void {
  const ask = async (options: { birthDate?: string; compare?: boolean; nobody?: boolean } = {}) => {
    const { source, phone, nobody, close } = await make();
    const answer = await source.lookUp({
      phone: options.nobody ? nobody : phone,
      inputs: options.birthDate === undefined ? {} : { birthDate: options.birthDate },
      compare: options.compare ? ["birthDate"] : [],
      narrow: [],
      deadlineMs: 10_000,
    });
    await close();
    return { answer, issuerUuid: source.issuerUuid };
  };
  test(`${name}: returns credentials of the source's issuer for a known phone`, async () => {
    const { answer, issuerUuid } = await ask();
    assert.ok(answer.kind === "found" && answer.credentials.length > 0);
    for (const one of answer.credentials) assert.equal(one.issuerUuid, issuerUuid);
  });
  test(`${name}: gives the same value the same id every time`, async () => {
    const ids = ({ answer }: Awaited<ReturnType<typeof ask>>) =>
      answer.kind === "found" ? answer.credentials.map(({ id }) => id) : [];
    assert.deepEqual(ids(await ask()), ids(await ask()));
  });
  test(`${name}: names a compared input that is wrong, and ignores an input that is not compared`, async () => {
    const { birthDate, close } = await make();
    await close();
    assert.equal((await ask({ birthDate, compare: true })).answer.kind, "found");
    assert.deepEqual((await ask({ birthDate: "1950-05-05", compare: true })).answer, {
      kind: "mismatch",
      inputs: ["birthDate"],
    });
    assert.equal((await ask({ birthDate: "1950-05-05" })).answer.kind, "found");
  });
  test(`${name}: does not find an unknown phone`, async () => {
    assert.deepEqual((await ask({ nobody: true })).answer, { kind: "unknown" });
  });
}
