import type { ApprovalsView } from "@countersign/contract/dashboard-brands";
import { type ChecklistId, checklist } from "@countersign/contract/dashboard-choices";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Check, Day, Notice, TextArea, Time, TroubleNotice } from "../controls/controls.tsx";
import { Section } from "../controls/section.tsx";
import { Link } from "../frame/navigation.tsx";
import { type BrandPageProps, isServed, Load, may, Page, useAction, useLoad } from "../frame/page.tsx";
import { Stages } from "./stages.tsx";
import { WaitingNote } from "./waiting-name.tsx";
import { approvalWords as say } from "./words-approvals.ts";
import { waitingWords } from "./words-waiting.ts";

const names = ["production", "trusted", "autofill", "silent", "issuance", "addOns", "barePhone", "openidSsn"] as const;

export function ApprovalsScreen(props: BrandPageProps) {
  const { brand, environment } = props;
  const params = { brand: brand.uuid, environment };
  const { state, reload } = useLoad(() => api.readApprovals({ params }), [brand.uuid, environment]);
  return (
    <Page
      name="approvals"
      title={say.title}
      lead={environment === "sandbox" ? say.sandboxLead : say.lead}
      viewOnly={environment === "sandbox" || may(props.me, "owner") ? undefined : say.ownerOnly}
    >
      <Load of={state}>
        {(view) => (
          <>
            {environment === "production" ? <Request {...props} view={view} onDone={reload} /> : null}
            <Granted view={view} isAlone={environment === "sandbox"} />
            {environment === "production" ? null : (
              <Link to={`/brands/${brand.uuid}/production/approvals`} class="button main">
                {say.toProduction}
              </Link>
            )}
            {view.waitingNames.length === 0 ? null : (
              <Section id="waiting" title={waitingWords.title} lead={waitingWords.lead}>
                {view.waitingNames.map((name) => (
                  <WaitingNote key={name.path} name={name} />
                ))}
              </Section>
            )}
          </>
        )}
      </Load>
    </Page>
  );
}

/** On a phone, lists without anything to do are folded. */
const isPhone = () => window.matchMedia("(max-width: 40rem)").matches;

/** What the operator has granted. Folded on a phone, or if all or nothing is granted and the page has other parts. */
function Granted({ view: { granted }, isAlone }: { view: ApprovalsView; isAlone: boolean }) {
  // The sandbox grants everything, so `production` is not shown there.
  const shown = names.filter((name) => !isAlone || name !== "production");
  const count = shown.filter((name) => granted.some(({ approval }) => approval === name)).length;
  const [isOpen] = useState(() => (count > 0 && count < shown.length) || (isAlone && !isPhone()));
  return (
    <details class="fold" open={isOpen}>
      <summary>
        <h2>{say.grantedTitle}</h2>
        <Count text={say.grantedOf} count={count} of={shown.length} />
      </summary>
      {isAlone ? null : <p class="quiet">{say.grantedLead}</p>}
      <ul class="lines">
        {shown.map((name) => {
          const found = granted.find(({ approval }) => approval === name);
          return (
            <li key={name}>
              <div>
                <strong>{say.names[name].name}</strong>
                <p class="quiet">{say.names[name].says}</p>
              </div>
              {found === undefined ? (
                <span class="tag">{say.notGranted}</span>
              ) : (
                <span class="granted">
                  <span class="quiet">
                    <Day at={found.grantedAt} />
                  </span>
                  <span class="tag good">{say.granted}</span>
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </details>
  );
}

type CountProps = { text(count: number, of: number): string; count: number; of: number };

function Count({ text, count, of }: CountProps) {
  return <span class={count === of ? "tag good" : "tag"}>{text(count, of)}</span>;
}

type RequestProps = BrandPageProps & { view: ApprovalsView; onDone(): void };

const checked = checklist.filter(({ isComputed }) => isComputed);
const stated = checklist.filter(({ isComputed }) => !isComputed);

/** The request for production: its state, the checklist, and a note. */
function Request(props: RequestProps) {
  const { me, brand, view } = props;
  const approved = view.granted.find(({ approval }) => approval === "production");
  const notServed = isServed({ me, environment: "production" }) ? null : (
    <Notice>{say.notServed(may(me, "owner"))}</Notice>
  );
  if (approved === undefined) return <OpenRequest {...props} notServed={notServed} />;
  return (
    <>
      {notServed}
      <div class="status-line">
        <span class="tag good">{say.status.approved}</span>
        <span>
          {say.status.since} <Time at={approved.grantedAt} />.{" "}
          <Link to={`/brands/${brand.uuid}/production/keys`}>{say.status.toKeys}</Link>
        </span>
      </div>
    </>
  );
}

function OpenRequest({ me, brand, view, notServed, onDone }: RequestProps & { notServed: ComponentChildren }) {
  const [confirmed, setConfirmed] = useState<readonly ChecklistId[]>([]);
  const [note, setNote] = useState("");
  const action = useAction();
  const body = { confirmed: [...confirmed], note };
  const send = () => void action.run(() => api.requestApproval({ params: { brand: brand.uuid }, body }), onDone);
  const done = [...view.fulfilled, ...confirmed];
  const needed = checklist.filter(({ id }) => !view.unneeded.includes(id));
  const open = needed.filter(({ id }) => !done.includes(id));
  const refused = view.request?.refused;
  const isRequested = view.request !== undefined && refused === undefined;
  const sendLabel = view.request === undefined ? say.send : say.sendAgain;
  const mayRequest = may(me, "owner");
  return (
    <>
      {notServed}
      {refused === undefined ? null : (
        <Notice kind="bad">
          <p>
            <strong>
              {say.refused} <Time at={refused.at} />.
            </strong>
          </p>
          <p>{refused.reason}</p>
          <p>{say.refusedNext}</p>
        </Notice>
      )}
      <Stages request={view.request} done={needed.length - open.length} of={needed.length} />
      <Section id="request" title={say.requestTitle} lead={isRequested ? say.requestedLead : say.requestLead}>
        {action.trouble === null ? null : action.trouble.kind === "invalid" ? (
          <Notice kind="bad">{say.incomplete}</Notice>
        ) : (
          <TroubleNotice trouble={action.trouble} />
        )}
        <CheckedItems {...{ me, view }} brand={brand.uuid} isOpen={!isRequested} />
        <details class="fold" open={!isRequested}>
          <summary>
            <h3>{say.confirmed(mayRequest)}</h3>
          </summary>
          <p class="quiet">{mayRequest ? `${say.confirmedLead} ${say.confirmHint}` : say.confirmedLead}</p>
          <ul class="checklist">
            {stated.map(({ id, says }) => (
              <li key={id}>
                <Check
                  id={id}
                  label={says}
                  disabled={!mayRequest}
                  checked={confirmed.includes(id)}
                  onChange={(on) => setConfirmed(on ? [...confirmed, id] : confirmed.filter((one) => one !== id))}
                />
              </li>
            ))}
          </ul>
        </details>
        {mayRequest ? (
          <details class="fold" open={!isRequested}>
            <summary>
              <h3>{sendLabel}</h3>
            </summary>
            <TextArea id="note" label={say.note} hint={say.noteHint} maxLength={2000} value={note} onInput={setNote} />
            <p>
              <Button
                label={sendLabel}
                look={isRequested ? "" : "main"}
                isBusy={action.isBusy}
                disabled={open.length > 0}
                aria-describedby="to-dos"
                onClick={send}
              />
            </p>
            <p id="to-dos" class="quiet" role="status">
              {open.length === 0 ? "" : say.stillToDo(open.map(({ id }) => say.short[id]))}
            </p>
          </details>
        ) : null}
      </Section>
    </>
  );
}

type ItemsProps = Pick<RequestProps, "me" | "view"> & { brand: string; isOpen: boolean };

/** The items that the service checks: open ones, then done ones, then those that do not apply. */
function CheckedItems({ me, view, brand, isOpen }: ItemsProps) {
  const unneeded = checked.filter(({ id }) => view.unneeded.includes(id));
  const needed = checked.filter((one) => !unneeded.includes(one));
  const done = needed.filter(({ id }) => view.fulfilled.includes(id));
  const open = needed.filter((one) => !done.includes(one));
  return (
    <details class="fold" open={isOpen}>
      <summary>
        <h3>{say.checked}</h3>
        {isOpen ? null : <Count text={say.done} count={done.length} of={needed.length} />}
      </summary>
      <ul class="checklist checked">
        {open.map(({ id, says }) => (
          <li key={id}>
            <span class="tag warn">{say.notMet}</span>
            <span>
              {says} {may(me, id === "passkey" ? "owner" : "developer") ? <ItemLink id={id} brand={brand} /> : null}
            </span>
          </li>
        ))}
        {done.map(({ id, says }) => (
          <li key={id}>
            <span class="tag good">{say.met}</span> <span>{says}</span>
          </li>
        ))}
        {unneeded.map(({ id, says }) => (
          <li key={id}>
            <span class="tag">{say.unneeded}</span>
            <span>
              {says} <span class="quiet">{say.whyUnneeded}</span>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A link to the page where the member completes an open item. */
function ItemLink({ id, brand }: { id: ChecklistId; brand: string }) {
  const [path, text] = say.toDo[id] ?? [];
  if (path === undefined || text === undefined) return null;
  return <Link to={path.startsWith("/") ? path : `/brands/${brand}/${path}`}>{text}</Link>;
}
