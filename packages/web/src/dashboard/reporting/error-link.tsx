import { reportingWords } from "./words-reporting.ts";

/** An error code that links to its explanation. Plain text if this service does not serve the documentation. */
export function ErrorLink({ code, apiUrl }: { code: string; apiUrl: string | undefined }) {
  if (apiUrl === undefined) return <>{code}</>;
  return (
    <a href={`${apiUrl}/docs/reference/errors#${code.toLowerCase()}`} target="_blank" rel="noreferrer">
      {code}
      <span class="hidden"> {reportingWords.log.explained}</span>
    </a>
  );
}
