import type { LogDetail, LogLine } from "@countersign/contract/dashboard-reporting";
import { Button } from "../controls/button.tsx";
import { Time } from "../controls/controls.tsx";
import { CopyBlock, CopyValue } from "../controls/copy.tsx";
import { Marked } from "../controls/marked.tsx";
import { type Pair, Pairs } from "../controls/pairs.tsx";
import { Link } from "../frame/navigation.tsx";
import { ErrorLink } from "./error-link.tsx";
import { referenceOf } from "./reference-link.ts";
import { Route } from "./route.tsx";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.log;
const names: Readonly<Record<string, string>> = say.did;
type DetailProps = {
  detail: LogDetail;
  apiUrl: string | undefined;
  params: { brand: string; environment: string };
  onUuid(uuid: string): void;
};

/** All details of one call, with links to related calls. */
export function LogDetails({ detail, apiUrl, params, onUuid }: DetailProps) {
  const { line, requestId, keyLastFour, explanation, warnings, actions, related } = detail;
  const { errorCode, phoneLastFour, subjectUuid, keyName } = line;
  const reference = apiUrl === undefined ? null : referenceOf(line, apiUrl);
  const pairs: readonly Pair[] = [
    [say.when, <Time at={line.at} seconds />],
    [
      say.call,
      <>
        <strong>{line.method}</strong> <Route path={line.route} />
      </>,
    ],
    [say.outcome, String(line.status)],
    [say.error, errorCode === null ? null : <ErrorLink code={errorCode} apiUrl={apiUrl} />],
    [say.latency, say.ms(line.latencyMs)],
    [say.masked, phoneLastFour === null ? null : `•••• ${phoneLastFour}`],
    [say.subject, subjectUuid === null ? null : <Subject uuid={subjectUuid} onUuid={onUuid} />],
    [say.key, keyName === null ? null : `${keyName} (…${keyLastFour ?? ""})`],
    [say.requestId, <CopyValue text={requestId} subject={say.requestId} />],
  ];
  return (
    <>
      {explanation === null ? null : (
        <div class={`note ${line.status < 500 ? "info" : "bad"}`}>
          <p>
            <strong>{say.cause}:</strong> <Marked text={explanation.cause} />
          </p>
          <p>
            <strong>{say.fix}:</strong> <Marked text={explanation.fix} />
          </p>
        </div>
      )}
      {subjectUuid === null && reference === null ? null : (
        <p class="row-actions">
          {subjectUuid === null ? null : (
            <Link class="button small" to={`/brands/${params.brand}/${params.environment}/journeys/${subjectUuid}`}>
              {say.journey}
            </Link>
          )}
          {reference === null ? null : (
            <a class="button small" href={reference} target="_blank" rel="noreferrer">
              {say.tryAgain}
            </a>
          )}
        </p>
      )}
      <Pairs of={pairs} />
      {warnings.length === 0 ? null : (
        <>
          <h3>{say.warnings}</h3>
          <ul class="changes">
            {warnings.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </>
      )}
      <h3>{say.actions}</h3>
      {actions.length === 0 ? (
        <p class="quiet">{say.noActions}</p>
      ) : (
        <ul class="changes">
          {actions.map(({ action, oneClickUuid, verificationUuid }) => (
            <li key={`${action}${oneClickUuid}${verificationUuid}`}>{names[action] ?? action}</li>
          ))}
        </ul>
      )}
      {related.length === 0 ? null : (
        <>
          <h3>{say.related}</h3>
          <ul class="lines">
            {related.map(({ uuid, route }) => (
              <li key={uuid}>
                <div>
                  <Route path={route} />
                  <p class="quiet">
                    <code>{uuid}</code>
                  </p>
                </div>
                <OnlyThis uuid={uuid} onUuid={onUuid} />
              </li>
            ))}
          </ul>
        </>
      )}
      {apiUrl === undefined ? null : <CopyBlock title={say.curl} language="sh" text={curlOf(line, apiUrl)} />}
      <p class="quiet">
        {say.noBody} {hasBody(line) ? say.ownBody : null}
      </p>
    </>
  );
}

type UuidProps = { uuid: string; onUuid(uuid: string): void };

function Subject(props: UuidProps) {
  return (
    <>
      <CopyValue text={props.uuid} subject={say.subject} /> <OnlyThis {...props} />
    </>
  );
}

function OnlyThis({ uuid, onUuid }: UuidProps) {
  return <Button label={say.onlyThis} subject={uuid} look="small" onClick={() => onUuid(uuid)} />;
}

/**
 * The call as a shell command. The log has neither the key nor the body, so the command reads them from a variable and
 * a file.
 */
function curlOf(line: LogLine, apiUrl: string): string {
  const { method, route, subjectUuid } = line;
  // Only a single path parameter is certain to be the subject.
  const isOne = route.split("/:").length === 2;
  const path = route.replace(/:(\w+)/g, (_, name) => (isOne && subjectUuid !== null ? subjectUuid : `<${name}>`));
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}'${apiUrl}${path}'`,
    `-H "Authorization: $COUNTERSIGN_KEY"`,
    ...(hasBody(line) ? ["-H 'Content-Type: application/json'", "-d @body.json"] : []),
  ].join(" \\\n  ");
}

function hasBody({ method }: LogLine): boolean {
  return !["GET", "DELETE"].includes(method);
}
