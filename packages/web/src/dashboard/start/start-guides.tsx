import type { IntegrationType } from "@countersign/contract/brand";
import type { ComponentChildren } from "preact";
import { CopyBlock } from "../controls/copy.tsx";
import { Section } from "../controls/section.tsx";
import { apiServer, hostedServer, sdkPage, sdkServer, type Values } from "./start-snippets.ts";
import { startWords } from "./words-start.ts";

const say = startWords.guides;
const families: Record<IntegrationType, "sdk" | "api" | "hosted"> = {
  sdk: "sdk",
  api: "api",
  nonHosted: "api",
  semiHosted: "api",
  hosted: "hosted",
  v1: "hosted",
};
type Props = { type: IntegrationType; values: Values; redirectUrl: string | null };

/** The integration guides. The guide for the brand's own type is open. */
export function StartGuides({ type, values, redirectUrl }: Props) {
  const own = families[type];
  return (
    <Section id="start-guides" title={say.title}>
      <p>{say.lead}</p>
      <Guide about={say.sdk} isOwn={own === "sdk"}>
        <CopyBlock title={say.sdk.server} text={sdkServer(values)} />
        <CopyBlock title={say.sdk.page} text={sdkPage(values)} />
      </Guide>
      <Guide about={say.api} isOwn={own === "api"}>
        <CopyBlock title={say.api.server} text={apiServer(values)} />
      </Guide>
      <Guide about={say.hosted} isOwn={own === "hosted"}>
        <p>{say.hosted.redirect(redirectUrl)}</p>
        <CopyBlock title={say.hosted.server} text={hostedServer(values)} />
      </Guide>
      <p>
        {say.more}: <a href={`${values.apiUrl}/docs`}>{say.reference}</a>. {say.example}
      </p>
    </Section>
  );
}

type GuideProps = { about: { name: string; says: string }; isOwn: boolean; children: ComponentChildren };

function Guide({ about, isOwn, children }: GuideProps) {
  return (
    <details class="guide" open={isOwn}>
      <summary>
        <strong>{about.name}</strong> {isOwn ? <span class="tag good">{say.yours}</span> : null}
        <span class="hint">{about.says}</span>
      </summary>
      {children}
    </details>
  );
}
