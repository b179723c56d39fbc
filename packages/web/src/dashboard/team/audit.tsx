import type { AuditLine } from "@countersign/contract/dashboard";
import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { nameDeeds } from "../brand/words-waiting.ts";
import { TableBox, Time, TroubleNotice } from "../controls/controls.tsx";
import { Load, Page, type PageProps, useAction, useLoad } from "../frame/page.tsx";
import { webhookDeeds } from "../webhooks/words-webhooks.ts";
import { words } from "../words.ts";

const say = words.audit;
const deeds: Readonly<Record<string, string>> = { ...say.deeds, ...webhookDeeds, ...nameDeeds };

/** The audit log: who changed what, newest first, in pages. */
export function AuditScreen(_props: PageProps) {
  const { state } = useLoad(() => api.listAudit({ query: {} }), []);
  return (
    <Page name="audit" title={say.title} lead={say.lead}>
      <Load of={state}>{(first) => <Lines first={first} />}</Load>
    </Page>
  );
}

function Lines({ first }: { first: { data: AuditLine[]; hasOlder: boolean } }) {
  const [older, setOlder] = useState<AuditLine[]>([]);
  const [hasOlder, setHasOlder] = useState(first.hasOlder);
  const action = useAction();
  const lines = [...first.data, ...older];
  const more = () =>
    void action.run(
      () => api.listAudit({ query: { before: String(lines.at(-1)?.id ?? 0) } }),
      (page) => {
        setOlder([...older, ...page.data]);
        setHasOlder(page.hasOlder);
      },
    );
  return (
    <>
      <TableBox>
        <table>
          <thead>
            <tr>
              <th scope="col">{say.when}</th>
              <th scope="col">{say.who}</th>
              <th scope="col">{say.what}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.id}>
                <td>
                  <Time at={line.at} />
                </td>
                <td class="name">{line.who ?? say.operator}</td>
                <td>
                  <What line={line} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableBox>
      {action.trouble === null ? null : <TroubleNotice trouble={action.trouble} />}
      {hasOlder ? (
        <p>
          <button type="button" class="button" onClick={more}>
            {say.older}
          </button>
        </p>
      ) : null}
    </>
  );
}

function What({ line }: { line: AuditLine }) {
  const { action, brandName, environment, subject, aboutWhom, changes } = line;
  const about = [aboutWhom, brandName, environment, subject].filter((one) => one !== null).join(" · ");
  return (
    <>
      <strong>{deeds[action] ?? action}</strong> {about === "" ? null : <span class="quiet">{about}</span>}
      {changes.length === 0 ? null : (
        <ul class="changes">
          {changes.map(({ path, from, to }) => (
            <li key={path}>
              <code>{path}</code>: {from ?? words.none} → {to ?? words.none}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
