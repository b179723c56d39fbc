import type { Environment, IntegrationType } from "@countersign/contract/brand";
import type { TestPerson } from "@countersign/contract/dashboard-start";
import type { ComponentChildren } from "preact";
import { api } from "../api.ts";
import { keptKey } from "../brand/keys-in-memory.ts";
import { CopyBlock } from "../controls/copy.tsx";
import { Link } from "../frame/navigation.tsx";
import { Load, useLoad } from "../frame/page.tsx";
import { firstCall, unknownKey } from "./start-snippets.ts";
import { startWords } from "./words-start.ts";

const say = startWords.call;

type Props = {
  params: { brand: string; environment: Environment };
  type: IntegrationType;
  apiUrl: string;
  /** What stands below the call. Production has no test people. */
  children?(people: readonly TestPerson[]): ComponentChildren;
};

/** A brand's first call to paste. If its key is not known here, the text says where the key goes. */
export function FirstCall({ params, type, apiUrl, children }: Props) {
  const { brand, environment } = params;
  const { state } = useLoad(() => api.readStart({ params }), [brand, environment]);
  return (
    <Load of={state}>
      {({ demoKey, testPeople }) => {
        const apiKey = demoKey ?? keptKey(brand, environment);
        const [person] = testPeople;
        const values = { apiUrl, walletUrl: "", phone: person?.phone ?? "+1…", code: person?.code ?? null };
        const text = firstCall(type, { ...values, apiKey: apiKey ?? unknownKey(environment) });
        return (
          <div class="first-call">
            <CopyBlock title={say.paste} language="sh" text={text} />
            {apiKey !== null ? null : (
              <p class="quiet">
                {say.putKey(unknownKey(environment))}{" "}
                <Link to={`/brands/${brand}/${environment}/keys`}>{say.toKeys}</Link>
              </p>
            )}
            {person !== undefined || type === "sdk" ? null : <p class="quiet">{say.production}</p>}
            {children?.(testPeople)}
          </div>
        );
      }}
    </Load>
  );
}
