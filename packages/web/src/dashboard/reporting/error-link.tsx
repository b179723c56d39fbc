import { reportingWords } from "./words-reporting.ts";

/** An error code that opens its explanation. It is plain text if this service does not serve the documents. */
export function ErrorLink({ code, apiUrl }: { code: string; apiUrl: string | undefined }) {
  if (apiUrl === undefined) return <>{code}</>;
  // The page is plain text, which has no anchors, so the browser looks for the heading's text.
  const place = `${code.toLowerCase()}:~:text=${encodeURIComponent(`### ${code}`)}`;
  return (
    <a href={`${apiUrl}/docs/errors#${place}`} target="_blank" rel="noreferrer">
      {code}
      <span class="hidden"> {reportingWords.log.explained}</span>
    </a>
  );
}
