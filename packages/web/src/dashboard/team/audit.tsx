import type { AuditLine } from "@countersign/contract/dashboard";
import { api } from "../api.ts";
import { nameActions } from "../brand/words-waiting.ts";
import { Time } from "../controls/controls.tsx";
import { Table, WithOlder } from "../controls/table.tsx";
import { Load, Page, type PageProps, useLoad } from "../frame/page.tsx";
import { webhookActions } from "../webhooks/words-webhooks.ts";
import { words } from "../words.ts";

const say = words.audit;
const actions: Readonly<Record<string, string>> = { ...say.actions, ...webhookActions, ...nameActions };

/** The audit log: who changed what, newest first, in pages. */
export function AuditScreen(_props: PageProps) {
  const { state } = useLoad(() => api.listAudit({ query: {} }), []);
  return (
    <Page name="audit" title={say.title} lead={say.lead}>
      <Load of={state}>
        {(first) => (
          <WithOlder first={first} ask={(before) => api.listAudit({ query: { before } })}>
            {(lines) => <Lines lines={lines} />}
          </WithOlder>
        )}
      </Load>
    </Page>
  );
}

function Lines({ lines }: { lines: readonly AuditLine[] }) {
  return (
    <Table columns={[say.when, say.who, say.what]}>
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
    </Table>
  );
}

function What({ line }: { line: AuditLine }) {
  const { action, brandName, environment, subject, aboutWhom, changes } = line;
  const about = [aboutWhom, brandName, environment, subject].filter((one) => one !== null).join(" · ");
  return (
    <>
      <strong>{actions[action] ?? action}</strong> {about === "" ? null : <span class="quiet">{about}</span>}
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
