import type { IntegrationType } from "@countersign/contract/brand";
import { Notice } from "../controls/controls.tsx";
import { guideSnippets } from "./guide-snippets.ts";
import { Paste } from "./paste.tsx";
import type { Values } from "./start-snippets.ts";
import { startWords } from "./words-start.ts";

const say = startWords.guide;
type Props = { type: IntegrationType; values: Values; redirectUrl: string | null };

/** The code for the brand's integration type. Its key does not work with code of other types. */
export function StartGuide({ type, values, redirectUrl }: Props) {
  return (
    <>
      <p>{say.leads[type]}</p>
      {type === "hosted" || type === "v1" ? <p>{say.redirect(redirectUrl)}</p> : null}
      {type === "v1" ? null : (
        <Notice>
          {say.notOnNpm} <a href={`${values.apiUrl}/docs/guides/signup-sdk#install-the-sdk`}>{say.getPackage}</a>
        </Notice>
      )}
      {guideSnippets(type, values).map((snippet) => (
        <Paste key={snippet.title} {...snippet} />
      ))}
      <ul class="more-links">
        <li>
          <a href={`${values.apiUrl}/docs/reference/${type === "v1" ? "api-v1" : "api"}`}>{say.reference}</a>
        </li>
        <li>
          <a href={`${values.apiUrl}/docs/reference/errors`}>{say.errors}</a>
        </li>
        {type === "v1" ? null : (
          <li>
            <a href={`${values.apiUrl}/docs/reference/sdk`}>{say.sdk}</a>
          </li>
        )}
      </ul>
      <p class="quiet">{say.other}</p>
    </>
  );
}
