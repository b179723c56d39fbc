import { Page } from "./page.tsx";
import { words } from "./words.ts";

/** For an address that leads nowhere, and for what is another account's: nobody can tell which. */
export function MissingPage() {
  return (
    <Page name="missing" title={words.missingTitle}>
      <p>{words.trouble.missing}</p>
    </Page>
  );
}
