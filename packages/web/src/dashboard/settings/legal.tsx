import type { Me } from "@countersign/contract/dashboard";
import { isRecord } from "../../api/client.ts";
import { words } from "../words.ts";

const say = words.legal;
type Props = { name: string; requests: unknown; health: boolean; me: Me };

/** The legal sentence that users must see before they continue, built from the brand's settings. */
export function Legal({ name, requests, health, me }: Props) {
  const asksSsn = Array.isArray(requests) && requests.some((one) => isRecord(one) && one.type === "SsnCredential");
  const [wallet] = me.environments;
  return (
    <section aria-labelledby="legal">
      <h2 id="legal">{say.title}</h2>
      <p class="quiet">{say.lead}</p>
      <blockquote class="legal">
        {say.sentence(name, { ssn: asksSsn, health })}{" "}
        {wallet === undefined ? null : (
          <>
            <a href={`${wallet.walletUrl}/terms`} target="_blank" rel="noopener">
              {say.terms}
            </a>{" "}
            {say.and}{" "}
            <a href={`${wallet.walletUrl}/privacy`} target="_blank" rel="noopener">
              {say.privacy}
            </a>
          </>
        )}
        .
      </blockquote>
    </section>
  );
}
