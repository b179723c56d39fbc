import { consentParts, proving, provingText } from "@countersign/contract/consent";
import type { Me } from "@countersign/contract/dashboard";
import { isRecord } from "../../api/client.ts";
import { words } from "../words.ts";

const say = words.legal;
type Props = { name: string; requests: unknown; health: boolean; me: Me };

/** The text that the brand must show to its users. The wallet uses the same text from the contract. */
export function Legal({ name, requests, health, me }: Props) {
  const ssn = Array.isArray(requests) && requests.some((one) => isRecord(one) && one.type === "SsnCredential");
  const [wallet] = me.environments;
  const { text: piece } = proving[provingText({ known: false, asksFor: { data: true, ssn, health } })].en;
  return (
    <section aria-labelledby="legal">
      <h3 id="legal">{say.title}</h3>
      <p class="quiet">{say.lead}</p>
      <blockquote class="legal">
        {consentParts(piece, name).map(({ text, link }) =>
          link === undefined || wallet === undefined ? (
            text
          ) : (
            <a key={link} href={`${wallet.walletUrl}/${link}`} target="_blank" rel="noopener">
              {text}
            </a>
          ),
        )}
      </blockquote>
    </section>
  );
}
