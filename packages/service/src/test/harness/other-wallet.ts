/**
 * A program that makes a `DeviceResponse` with another library than the one that reads state IDs. It reads its input as
 * JSON. It runs in a process of its own, because both libraries change the same decoder of CBOR.
 */
import { readFileSync } from "node:fs";
import { DeviceResponse, Document, MDoc } from "@auth0/mdl";
import type { JWK } from "jose";

/** `transcript`: the session transcript as embedded CBOR, hex. `certificate`: DER, hex. Times are Unix milliseconds. */
export type OtherWalletInput = {
  issuerKey: JWK;
  certificate: string;
  phoneKey: JWK;
  transcript: string;
  values: Record<string, string>;
  signed: number;
  validUntil: number;
};

const documentType = "org.iso.18013.5.1.mDL";
const namespace = "org.iso.18013.5.1";
const input: OtherWalletInput = JSON.parse(readFileSync(0, "utf8"));
const { d: _, ...deviceKey } = input.phoneKey;
const document = await new Document(documentType)
  .addIssuerNameSpace(namespace, input.values)
  .useDigestAlgorithm("SHA-512")
  .addValidityInfo({ signed: new Date(input.signed), validUntil: new Date(input.validUntil) })
  .addDeviceKeyInfo({ deviceKey: { ...deviceKey, kty: "EC" } })
  .sign({
    issuerPrivateKey: { ...input.issuerKey, kty: "EC" },
    issuerCertificate: Buffer.from(input.certificate, "hex"),
    alg: "ES256",
  });
const response = await DeviceResponse.from(new MDoc([document]))
  .usingPresentationDefinition({
    id: "state-id",
    input_descriptors: [
      {
        id: documentType,
        format: { mso_mdoc: { alg: ["ES256"] } },
        constraints: {
          limit_disclosure: "required",
          fields: Object.keys(input.values).map((name) => ({
            path: [`$['${namespace}']['${name}']`],
            intent_to_retain: false,
          })),
        },
      },
    ],
  })
  .usingSessionTranscriptBytes(Buffer.from(input.transcript, "hex"))
  .authenticateWithSignature({ ...input.phoneKey, kty: "EC" }, "ES256")
  .sign();
process.stdout.write(response.encode().toString("hex"));
