import type { OutboxLine } from "@countersign/contract/dashboard-sandbox";
import { Copy, RefreshCw } from "lucide";
import { useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Empty, Select, Time } from "../controls/controls.tsx";
import { useCopy } from "../controls/copy.tsx";
import { Link, lastBrandPath } from "../frame/navigation.tsx";
import { Load, may, Page, type PageProps, StartLink, useLoad } from "../frame/page.tsx";
import { usePolling } from "../frame/use-polling.ts";
import { words } from "../words.ts";
import { sandboxWords } from "./words-sandbox.ts";

const say = sandboxWords.outbox;
/** Polling interval and limit. An abandoned page must not keep the session alive. */
const pollEveryMs = 5_000;
const pollsMax = 60;

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
                <ul class="lines outbox">
                  {data.filter(isFound).map((line) => (
                    <Sent key={line.id} line={line} />
                  ))}
                </ul>
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

function Sent({ line }: { line: OutboxLine }) {
  const { to, subject, body, journey, sentAt } = line;
  return (
    <li>
      <strong>{say.to(to)}</strong>{" "}
      <span class="quiet">
        {senderOf(line)} · <Time at={sentAt} />
      </span>
      {subject === undefined ? null : <p>{subject}</p>}
      <p class="text">
        {body.split(/(https?:\/\/\S+)/).map((part, index) =>
          // `split` puts the matches at odd indexes.
          index % 2 === 1 ? (
            <a key={`${index}${part}`} href={part} target="_blank" rel="noreferrer">
              {part}
            </a>
          ) : (
            part
          ),
        )}
      </p>
      {journey === null ? null : (
        <p>
          <Link to={`/brands/${journey.brand}/sandbox/journeys/${journey.uuid}`}>{say.journey}</Link>
        </p>
      )}
      <Code code={/(?<!\d)\d{6}(?!\d)/.exec(body)?.[0]} />
    </li>
  );
}

function Code({ code }: { code: string | undefined }) {
  const { isCopied, copy } = useCopy(code ?? "");
  if (code === undefined) return null;
  return (
    <div class="row-actions">
      <Button icon={Copy} label={`${say.code} ${code}`} look="small" onClick={copy} />
      <span role="status" class="quiet">
        {isCopied ? say.copied : ""}
      </span>
    </div>
  );
}
