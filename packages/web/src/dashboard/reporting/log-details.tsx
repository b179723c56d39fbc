import type { LogDetail, LogLine } from "@countersign/contract/dashboard-reporting";
import type { ComponentChildren } from "preact";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Dialog, Time } from "../controls/controls.tsx";
import { Load, useLoad } from "../frame/page.tsx";
import { words } from "../words.ts";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.log;
type Props = {
  line: LogLine;
  params: { brand: string; environment: "sandbox" | "production" };
  onUuid(uuid: string): void;
  onClose(): void;
};

/** All details of one call, with links to related calls. */
export function LogDetails({ line, params, onUuid, onClose }: Props) {
  const { state } = useLoad(() => api.readLogLine({ params: { ...params, line: String(line.id) } }), [line.id]);
  return (
    <Dialog title={say.detailTitle} onClose={onClose}>
      <Load of={state}>{(detail) => <Detail detail={detail} onUuid={onUuid} />}</Load>
      <p class="quiet">{say.noBody}</p>
      <Button label={words.close} onClick={onClose} />
    </Dialog>
  );
}

function Detail({ detail, onUuid }: { detail: LogDetail; onUuid(uuid: string): void }) {
  const { line, requestId, keyLastFour, warnings, actions, related } = detail;
  const pairs: [string, ComponentChildren][] = [
    [say.when, <Time at={line.at} seconds />],
    [say.call, <code>{`${line.method} ${line.route}`}</code>],
    [say.outcome, String(line.status)],
    [say.error, line.errorCode],
    [say.latency, say.ms(line.latencyMs)],
    [say.masked, line.phoneLastFour === null ? null : `•••• ${line.phoneLastFour}`],
    [say.subject, line.subjectUuid === null ? null : <Uuid uuid={line.subjectUuid} onUuid={onUuid} />],
    [say.key, line.keyName === null ? null : `${line.keyName} (…${keyLastFour ?? ""})`],
    [say.requestId, <code>{requestId}</code>],
  ];
  return (
    <>
      <dl class="pairs">
        {pairs.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
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
            <li key={`${action}${oneClickUuid}${verificationUuid}`}>
              <code>{action}</code>
            </li>
          ))}
        </ul>
      )}
      {related.length === 0 ? null : (
        <>
          <h3>{say.related}</h3>
          <ul class="changes">
            {related.map(({ uuid, route }) => (
              <li key={uuid}>
                <Uuid uuid={uuid} onUuid={onUuid} />
                <p class="quiet">{route}</p>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Uuid({ uuid, onUuid }: { uuid: string; onUuid(uuid: string): void }) {
  return (
    <>
      <code>{uuid}</code> <Button label={say.onlyThis} about={uuid} look="small" onClick={() => onUuid(uuid)} />
    </>
  );
}
