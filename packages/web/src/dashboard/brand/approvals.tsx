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
import { words } from "../words.ts";
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
              <Link to={`/brands/${brand.uuid}/production/approvals`} class="button">
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

/** A phone has no room for a list in which there is nothing to do. */
const isPhone = () => window.matchMedia("(max-width: 40rem)").matches;

/** What the operator has granted, folded if all or nothing is and the page has more, or on a phone. */
function Granted({ view: { granted }, isAlone }: { view: ApprovalsView; isAlone: boolean }) {
  const count = names.filter((name) => granted.some(({ approval }) => approval === name)).length;
  const [isOpen] = useState(() => (count > 0 && count < names.length) || (isAlone && !isPhone()));
  return (
    <details class="fold" open={isOpen}>
      <summary>
        <h2>{say.grantedTitle}</h2>
        <Count text={say.grantedOf} count={count} of={names.length} />
      </summary>
      <ul class="lines">
        {names.map((name) => {
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

/** Where the request stands, above everything else. */
function StatusLine({ tag, children }: { tag: ComponentChildren; children: ComponentChildren }) {
  return (
    <p class="status-line">
      {tag} <span>{children}</span>
    </p>
  );
}

type RequestProps = BrandPageProps & { view: ApprovalsView; onDone(): void };

const checked = checklist.filter(({ isComputed }) => isComputed);
const stated = checklist.filter(({ isComputed }) => !isComputed);

/** The request for production: the items that the service checks, the items that the brand confirms, and a note. */
function Request({ me, brand, view, onDone }: RequestProps) {
  const [confirmed, setConfirmed] = useState<readonly ChecklistId[]>([]);
  const [note, setNote] = useState("");
  const action = useAction();
  const approved = view.granted.find(({ approval }) => approval === "production");
  const notServed = isServed({ me, environment: "production" }) ? null : (
    <p class="quiet">{words.production.notServed}</p>
  );
  if (approved !== undefined)
    return (
      <>
        <StatusLine tag={<span class="tag good">{say.status.approved}</span>}>
          {say.status.since} <Time at={approved.grantedAt} />
        </StatusLine>
        {notServed}
      </>
    );
  const body = { confirmed: [...confirmed], note };
  const send = () => void action.run(() => api.requestApproval({ params: { brand: brand.uuid }, body }), onDone);
  const done = [...view.fulfilled, ...confirmed];
  const needed = checklist.filter(({ id }) => !view.unneeded.includes(id));
  const open = needed.filter(({ id }) => !done.includes(id));
  const isRequested = view.request !== undefined;
  return (
    <>
      {view.request === undefined ? (
        <StatusLine tag={<span class="tag warn">{say.status.open}</span>}>
          {say.status.done(needed.length - open.length, needed.length)}
        </StatusLine>
      ) : (
        <StatusLine tag={<span class="tag warn">{say.status.waiting}</span>}>
          {say.requested(view.request.by)} <Time at={view.request.at} />. {say.status.next}
        </StatusLine>
      )}
      {notServed}
      <Section id="request" title={say.requestTitle} lead={say.requestLead}>
        {action.trouble === null ? null : action.trouble.kind === "invalid" ? (
          <Notice kind="bad">{say.incomplete}</Notice>
        ) : (
          <TroubleNotice trouble={action.trouble} />
        )}
        <CheckedItems view={view} brand={brand.uuid} />
        <details class="fold" open={!isRequested}>
          <summary>
            <h3>{say.confirmed}</h3>
            {isRequested ? null : <Count text={say.confirmedOf} count={confirmed.length} of={stated.length} />}
          </summary>
          <p class="quiet">{say.confirmedLead}</p>
          <ul class="checklist">
            {stated.map(({ id, says }) => (
              <li key={id}>
                <Check
                  id={id}
                  label={says}
                  disabled={!may(me, "owner")}
                  checked={confirmed.includes(id)}
                  onChange={(on) => setConfirmed(on ? [...confirmed, id] : confirmed.filter((one) => one !== id))}
                />
              </li>
            ))}
          </ul>
          {may(me, "owner") ? (
            <>
              <TextArea
                id="note"
                label={say.note}
                hint={say.noteHint}
                maxLength={2000}
                value={note}
                onInput={setNote}
              />
              <p>
                <Button
                  label={isRequested ? say.sendAgain : say.send}
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
            </>
          ) : null}
        </details>
      </Section>
    </>
  );
}

/** The items that the service checks. Those with nothing to do are folded. */
function CheckedItems({ view, brand }: { view: ApprovalsView; brand: string }) {
  // An item without anything to check is not done.
  const needed = checked.filter(({ id }) => !view.unneeded.includes(id));
  const done = needed.filter(({ id }) => view.fulfilled.includes(id)).length;
  const isOpen = ({ id }: (typeof checked)[number]) =>
    needed.some((one) => one.id === id) && !view.fulfilled.includes(id);
  const [open, rest] = [checked.filter(isOpen), checked.filter((one) => !isOpen(one))];
  return (
    <details class="fold" open={open.length > 0}>
      <summary>
        <h3>{say.checked}</h3>
        <Count text={say.done} count={done} of={needed.length} />
      </summary>
      {open.length === 0 || rest.length === 0 ? (
        <Items {...{ view, brand }} items={checked} />
      ) : (
        <>
          <Items {...{ view, brand }} items={open} />
          <details class="more">
            <summary>{say.nothingToDo(rest.length)}</summary>
            <Items {...{ view, brand }} items={rest} />
          </details>
        </>
      )}
    </details>
  );
}

type ItemsProps = { view: ApprovalsView; brand: string; items: typeof checked };

function Items({ view, brand, items }: ItemsProps) {
  return (
    <ul class="checklist checked">
      {items.map(({ id, says }) => (
        <li key={id}>
          <CheckedTag view={view} id={id} />
          <span>
            {says} {view.fulfilled.includes(id) ? null : <ToDo id={id} brand={brand} />}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The page where an open item is done. */
function ToDo({ id, brand }: { id: ChecklistId; brand: string }) {
  const [path, text] = say.toDo[id] ?? [];
  if (path === undefined || text === undefined) return null;
  return <Link to={path.startsWith("/") ? path : `/brands/${brand}/${path}`}>{text}</Link>;
}

/** Says “done” only of what the service has checked. */
function CheckedTag({ view, id }: { view: ApprovalsView; id: ChecklistId }) {
  if (view.unneeded.includes(id)) return <span class="tag">{say.unneeded}</span>;
  return view.fulfilled.includes(id) ? (
    <span class="tag good">{say.met}</span>
  ) : (
    <span class="tag warn">{say.notMet}</span>
  );
}
