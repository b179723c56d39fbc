/**
 * The session transcript, which the phone signs. It binds an answer to our nonce, to the key that decrypts it, and to
 * the origin of the page that asked.
 */
import { createHash } from "node:crypto";
import { cborEncode, QrHandover, SessionTranscript } from "@owf/mdoc";

/** The library has no transcript for ISO/IEC 18013-7, and lacks the type of this one's handover. */
class BoundTranscript extends SessionTranscript {
  readonly #handover: [string, Uint8Array];
  constructor(name: string, info: readonly unknown[]) {
    super({ deviceEngagement: null, eReaderKey: null, handover: QrHandover.create() });
    this.#handover = [name, createHash("sha256").update(cborEncode(info)).digest()];
  }
  override get encodedStructure(): [null, null, unknown] {
    return [null, null, this.#handover];
  }
}

/** OpenID4VP 1.0, appendix B.2.6.2. `thumbprint`: SHA-256 (RFC 7638) of the key that the answer is encrypted to. */
export function openidTranscript(bound: { origin: string; nonce: string; thumbprint: Uint8Array }): SessionTranscript {
  return new BoundTranscript("OpenID4VPDCAPIHandover", [bound.origin, bound.nonce, bound.thumbprint]);
}

/** ISO/IEC 18013-7, annex C. `encryptionInfo`: as in our request, base64url. It has the nonce and the key. */
export function isoTranscript(bound: { origin: string; encryptionInfo: string }): SessionTranscript {
  return new BoundTranscript("dcapi", [bound.encryptionInfo, bound.origin]);
}
