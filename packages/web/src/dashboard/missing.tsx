import { Page } from "./page.tsx";
import { words } from "./words.ts";

/** For unknown URLs and for other accounts' pages. The two cases look the same, so the page reveals nothing. */
export function MissingPage() {
  return (
    <Page name="missing" title={words.missingTitle}>
      <p>{words.trouble.missing}</p>
    </Page>
  );
}
