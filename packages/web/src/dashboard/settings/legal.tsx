import { consentParts, proving, provingText } from "@countersign/contract/consent";
import type { Me } from "@countersign/contract/dashboard";
import { isRecord } from "../../api/client.ts";
import { CopyButton } from "../controls/copy.tsx";
import { may } from "../frame/page.tsx";
import { words } from "../words.ts";

const say = words.legal;
type Props = { name: string; requests: unknown; health: boolean; me: Me };

/** The parts of the text that the brand must show to its users, from the contract. A link has its URL. */
function sentence({ name, requests, health, me }: Props): { text: string; url?: string }[] {
  const ssn = Array.isArray(requests) && requests.some((one) => isRecord(one) && one.type === "SsnCredential");
  const [wallet] = me.environments;
  const { text: piece } = proving[provingText({ known: false, asksFor: { data: true, ssn, health } })].en;
  return consentParts(piece, name).map(({ text, link }) =>
    link === undefined || wallet === undefined ? { text } : { text, url: `${wallet.walletUrl}/${link}` },
  );
}

/** The sentence as plain text, with the URL of its link. */
export const plainSentence = (props: Props): string =>
  sentence(props)
    .map(({ text, url }) => (url === undefined ? text : `${text} (${url})`))
    .join("");

/** The sentence that the brand's users must see before they continue, as the wallet shows it. */
export function Legal(props: Props) {
  return (
    <section aria-labelledby="legal">
      <h3 id="legal">{say.title}</h3>
      <p class="quiet">{say.lead}</p>
      <blockquote class="legal">
        {sentence(props).map(({ text, url }) =>
          url === undefined ? (
            text
          ) : (
            <a key={url} href={url} target="_blank" rel="noopener">
              {text}
            </a>
          ),
        )}
      </blockquote>
      {may(props.me, "developer") ? (
        <p>
          <CopyButton text={plainSentence(props)} subject={say.sentence} />
        </p>
      ) : null}
    </section>
  );
}
