import type { OutboxLine } from "@countersign/contract/dashboard-sandbox";
import { Check, Copy, Mail, RefreshCw, Smartphone } from "lucide";
import { useId, useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Empty, Select, Time } from "../controls/controls.tsx";
import { useCopy } from "../controls/copy.tsx";
import { Link, lastBrandPath } from "../frame/navigation.tsx";
import { Load, may, Page, type PageProps, StartLink, useLoad } from "../frame/page.tsx";
import { usePolling } from "../frame/use-polling.ts";
import { words } from "../words.ts";
import { sandboxWords } from "./words-sandbox.ts";
import "./sandbox.css";

const say = sandboxWords.outbox;
/** Polling interval and limit. An abandoned page must not keep the session alive. */
const pollEveryMs = 5_000;
const pollsMax = 60;
/** Threads drawn at a time, texts of a thread at first, and texts of one that a search found or that is unfolded. */
const threadsMax = 24;
const bubblesMax = 2;
const foundMax = 20;

/** The sandbox's outbox of texts and e-mails, with their codes and links. */
export function OutboxScreen({ me }: PageProps) {
  const mayRead = may(me, "developer");
  return mayRead ? (
    <Outbox />
  ) : (
    <Page name="outbox" title={say.title} lead={say.lead} viewOnly={say.role}>
      {null}
    </Page>
  );
}

function Outbox() {
  const { state, reload } = useLoad(() => api.readOutbox(), []);
  usePolling(reload, { everyMs: pollEveryMs, max: pollsMax });
  // The text may be a phone, so it is not in the URL.
  const [text, setText] = useState("");
  const [brand, setBrand] = useState("");
  const isFound = (line: OutboxLine) =>
    (brand === "" || senderOf(line) === brand) &&
    [line.to, line.subject, line.body, senderOf(line)].join(" ").toLowerCase().includes(text.trim().toLowerCase());
  const refresh = <Button icon={RefreshCw} label={say.refresh} onClick={() => void reload()} />;
  return (
    <Page name="outbox" title={say.title} lead={say.lead} aside={refresh}>
      <Load of={state}>
        {({ data }) =>
          data.length === 0 ? (
            <NothingSent />
          ) : (
            <>
              <div class="outbox-find">
                <Field
                  id="outbox-search"
                  label={say.search}
                  isLabelHidden
                  input={{
                    type: "search",
                    value: text,
                    maxLength: 200,
                    autocomplete: "off",
                    placeholder: say.searchExample,
                    onInput: (event) => setText(event.currentTarget.value),
                  }}
                />
                <Select
                  id="outbox-brand"
                  label={say.brand}
                  isLabelHidden
                  value={brand}
                  choices={[
                    { value: "", label: say.anyBrand },
                    ...sendersOf(data, brand).map((value) => ({ value, label: value })),
                  ]}
                  onChange={setBrand}
                />
              </div>
              <p class="quiet" role="status">
                {say.found(data.filter(isFound).length, data.length)}
              </p>
              {data.some(isFound) ? (
                <Threads threads={threadsOf(data.filter(isFound))} isOpen={text.trim() !== ""} />
              ) : (
                <Empty title={say.nothing} text={say.nothingLead}>
                  <Button
                    label={words.filter.clear}
                    onClick={() => {
                      setText("");
                      setBrand("");
                    }}
                  />
                </Empty>
              )}
            </>
          )
        }
      </Load>
    </Page>
  );
}

/** Links to the first call of the last brand, or of the account's first brand. */
function NothingSent() {
  const { state } = useLoad(() => api.listBrands(), []);
  const [first] = state.kind === "ok" ? state.value.data : [];
  const base = lastBrandPath() ?? (first === undefined ? null : `/brands/${first.uuid}/sandbox`);
  return (
    <Empty title={say.none} text={say.noneLead}>
      {base === null ? null : <StartLink to={`${base}/start`} />}
    </Empty>
  );
}

/** The brand that sent a message, or the service itself. */
const senderOf = ({ brandName }: OutboxLine) => brandName ?? say.service;

/** All senders by name. A selected sender stays in the list after its last message is gone. */
function sendersOf(lines: readonly OutboxLine[], chosen: string): string[] {
  const all = new Set([...lines.map(senderOf), chosen].filter((one) => one !== ""));
  return [...all].sort((a, b) => a.localeCompare(b));
}

/** The messages to one phone or address, newest first. */
type Thread = { to: string; lines: OutboxLine[] };

/** The threads in the order of their newest message. The lines are newest first. */
function threadsOf(lines: readonly OutboxLine[]): Thread[] {
  const byPhone = new Map<string, OutboxLine[]>();
  for (const line of lines) {
    const thread = byPhone.get(line.to);
    if (thread === undefined) byPhone.set(line.to, [line]);
    else thread.push(line);
  }
  return [...byPhone].map(([to, all]) => ({ to, lines: all }));
}

/** Draws a few threads at a time, so that the page stays fast with a thousand messages. */
function Threads({ threads, isOpen }: { threads: readonly Thread[]; isOpen: boolean }) {
  const [shown, setShown] = useState(threadsMax);
  const left = threads.length - shown;
  return (
    <>
      <ul class="threads">
        {threads.slice(0, shown).map(({ to, lines }) => (
          <li key={to}>
            <ThreadBox to={to} lines={lines} isOpen={isOpen} />
          </li>
        ))}
      </ul>
      {left > 0 ? <Button label={say.more(left)} onClick={() => setShown(shown + threadsMax)} /> : null}
    </>
  );
}

/** One phone with its newest texts. `isOpen`: a search found these, so more of them are shown. */
function ThreadBox({ to, lines, isOpen }: Thread & { isOpen: boolean }) {
  const id = useId();
  const [shown, setShown] = useState(bubblesMax);
  const max = Math.max(shown, isOpen ? foundMax : 0);
  const left = lines.length - max;
  const isEmail = lines[0]?.channel === "email";
  return (
    <section class="thread" aria-labelledby={id}>
      <div class="thread-head">
        <Icon node={isEmail ? Mail : Smartphone} />
        <h2 id={id}>{to}</h2>
        <span class="quiet">{say.messages(lines.length)}</span>
      </div>
      <ol class="bubbles">
        {lines.slice(0, max).map((line) => (
          <Bubble key={line.id} line={line} />
        ))}
      </ol>
      {left > 0 ? (
        <Button label={say.older(left)} subject={to} look="small" onClick={() => setShown(shown + foundMax)} />
      ) : null}
    </section>
  );
}

function Bubble({ line }: { line: OutboxLine }) {
  const { subject, body, journey, sentAt } = line;
  const code = /(?<!\d)\d{6}(?!\d)/.exec(body)?.[0];
  return (
    <li>
      <div class="bubble">
        {subject === undefined ? null : <strong>{subject}</strong>}
        <p class="text">
          {body.split(/(https?:\/\/\S*[^\s.,;:!?)])/).map((part, index) =>
            // `split` puts the matches at odd indexes. The punctuation after a URL is not part of it.
            index % 2 === 1 ? (
              <a key={`${index}${part}`} href={part} target="_blank" rel="noreferrer">
                {part}
              </a>
            ) : (
              part
            ),
          )}
        </p>
      </div>
      <p class="bubble-note">
        <span class="quiet">
          {senderOf(line)} · <Time at={sentAt} />
        </span>
        {code === undefined ? null : <Code code={code} />}
      </p>
      {journey === null ? null : (
        <p class="bubble-note">
          <Link to={`/brands/${journey.brand}/sandbox/journeys/${journey.uuid}`}>{say.journey}</Link>
        </p>
      )}
    </li>
  );
}

function Code({ code }: { code: string }) {
  const { isCopied, copy } = useCopy(code);
  return (
    <>
      <Button icon={isCopied ? Check : Copy} label={say.copyCode(code)} look="small" onClick={copy} />
      <span role="status" class="hidden">
        {isCopied ? say.copied : ""}
      </span>
    </>
  );
}
