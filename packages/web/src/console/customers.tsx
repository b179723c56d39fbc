import type { Approval } from "@countersign/contract/brand";
import { approvals } from "@countersign/contract/brand";
import type { ConsoleBrand, ConsoleCustomer, ConsoleMode } from "@countersign/contract/console-customers";
import { namesPerson } from "@countersign/contract/console-personal";
import { mayOperateAs } from "@countersign/contract/operator-role";
import { useState } from "preact/hooks";
import { approvalWords } from "../dashboard/brand/words-approvals.ts";
import { Button } from "../dashboard/controls/button.tsx";
import { Dialog, Empty, Notice, Select } from "../dashboard/controls/controls.tsx";
import { figure, Table } from "../dashboard/controls/table.tsx";
import { Link, putQuery, useQuery } from "../dashboard/frame/navigation.tsx";
import { Load, Page, useLoad } from "../dashboard/frame/page.tsx";
import { words } from "../dashboard/words.ts";
import { Field } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { api } from "./api.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import type { ScreenProps } from "./screen-props.ts";
import { say as all } from "./words.ts";

const say = all.customers;
type InEnvironment = ConsoleBrand["environments"][number];
type Target = { brand: ConsoleBrand; at: InEnvironment };

/** Customers with their brands: what they may do, and how much they do. */
export function CustomersScreen({ me }: ScreenProps) {
  const search = useQuery().get("search") ?? "";
  const [typed, setTyped] = useState(search);
  const { state, reload } = useLoad(() => api.listConsoleCustomers({ query: { search } }), [search]);
  const [isPerson, setPerson] = useState(false);
  // The search is part of the address, which browsers and proxies keep.
  const find = () => (namesPerson(typed) ? setPerson(true) : putQuery({ search: typed.trim() }));
  const mayAct = mayOperateAs(me.operator.role, "operator");
  return (
    <Page name="customers" title={say.title} lead={say.lead} viewOnly={mayAct ? undefined : all.supportOnly}>
      <Form class="search" role="search" onSubmit={find}>
        <Field
          id="search"
          label={say.search}
          hint={say.searchHint}
          error={isPerson ? say.searchPerson : undefined}
          input={{
            type: "search",
            maxLength: 100,
            value: typed,
            onInput: (event) => {
              setTyped(event.currentTarget.value);
              setPerson(false);
            },
          }}
        />
        <Button label={say.search} type="submit" />
      </Form>
      <Load of={state}>
        {({ data, hasMore }) =>
          data.length === 0 ? (
            <Empty title={say.none} text={say.noneLead} />
          ) : (
            <>
              {data.map((customer) => (
                <Customer key={customer.uuid} customer={customer} onDone={mayAct ? () => void reload() : null} />
              ))}
              {hasMore ? <Notice>{say.more}</Notice> : null}
            </>
          )
        }
      </Load>
    </Page>
  );
}

function Customer({ customer, onDone }: { customer: ConsoleCustomer; onDone: (() => void) | null }) {
  const { uuid, name, members, requiresPasskey, brands } = customer;
  const [limited, setLimited] = useState<Target | null>(null);
  const [added, setAdded] = useState<Target | null>(null);
  const rows = brands.flatMap((brand) => brand.environments.map((at) => ({ brand, at })));
  return (
    <section class="case" aria-labelledby={`customer-${uuid}`}>
      <header class="case-head">
        <h2 id={`customer-${uuid}`}>{name}</h2>
        <p class="quiet">
          {say.members(members)}
          {requiresPasskey ? `, ${say.passkeys}` : ""} · <Link to={`/audit?customer=${uuid}`}>{say.audit}</Link>
        </p>
      </header>
      {rows.length === 0 ? (
        <p class="quiet">{say.noBrands}</p>
      ) : (
        <Table
          class="dense blocks brands-of"
          label={name}
          columns={[
            say.brand,
            say.in,
            say.mode,
            figure(say.calls),
            ...(onDone === null ? [] : [{ title: words.actions, isTitleHidden: true } as const]),
          ]}
        >
          {rows.map(({ brand, at }) => (
            <tr key={`${brand.uuid} ${at.environment}`}>
              <th scope="row">
                {brand.name}
                {at.externalName === brand.name ? null : <p class="quiet">{at.externalName}</p>}
              </th>
              <td>{all.environments[at.environment]}</td>
              <td>
                <span class={at.mode === "active" ? "tag good" : "tag bad"}>{say.modes[at.mode]}</span>{" "}
                {at.failingWebhooks === 0 ? null : (
                  <span class="tag warn">{say.failingWebhooks(at.failingWebhooks)}</span>
                )}
              </td>
              <td class="figure">
                <span class="block-label">{say.calls}: </span>
                {at.calls.toLocaleString("en-US")}
                {at.failed === 0 ? null : <span class="tag bad">{say.failed(at.failed)}</span>}
              </td>
              {onDone === null ? null : (
                <td>
                  <div class="row-actions">
                    <Button
                      label={say.limit}
                      subject={`${brand.name}, ${all.environments[at.environment]}`}
                      look="small"
                      onClick={() => setLimited({ brand, at })}
                    />
                    <Button
                      label={say.addOns}
                      subject={`${brand.name}, ${all.environments[at.environment]}`}
                      look="small"
                      onClick={() => setAdded({ brand, at })}
                    />
                  </div>
                </td>
              )}
            </tr>
          ))}
        </Table>
      )}
      {limited === null || onDone === null ? null : (
        <Limit {...limited} onDone={onDone} onClose={() => setLimited(null)} />
      )}
      {added === null || onDone === null ? null : <AddOns {...added} onDone={onDone} onClose={() => setAdded(null)} />}
    </section>
  );
}

type ActProps = Target & { onDone(): void; onClose(): void };
const modes: readonly ConsoleMode[] = ["active", "readOnly", "stopped"];

function Limit({ brand, at, onDone, onClose }: ActProps) {
  const [mode, setMode] = useState(at.mode);
  const { environment } = at;
  return (
    <ReasonDialog
      title={say.limitTitle(brand.name, all.environments[environment])}
      text={say.modeSays[mode]}
      action={say.limitSave}
      isDanger={mode !== "active"}
      brandReads
      ask={(reason) => api.limitBrand({ params: { brand: brand.uuid }, body: { environment, mode, reason } })}
      onDone={onDone}
      onClose={onClose}
    >
      <Select
        id="mode"
        label={say.limitLabel}
        value={mode}
        choices={modes.map((value) => ({ value, label: say.modes[value] }))}
        onChange={(value) => setMode(modes.find((one) => one === value) ?? at.mode)}
      />
    </ReasonDialog>
  );
}

/** The approvals of a brand, each with a button that asks for a reason. */
function AddOns({ brand, at, onDone, onClose }: ActProps) {
  const [asked, setAsked] = useState<Approval | null>(null);
  const { environment } = at;
  if (asked !== null) {
    const granted = !at.approvals.includes(asked);
    const { name, says } = approvalWords.names[asked];
    return (
      <ReasonDialog
        title={granted ? say.grantTitle(name, brand.name) : say.revokeTitle(name, brand.name)}
        text={says}
        action={granted ? say.grant : say.revoke}
        isDanger={!granted}
        brandReads
        ask={(reason) =>
          api.changeAddOn({ params: { brand: brand.uuid }, body: { environment, approval: asked, granted, reason } })
        }
        onDone={onDone}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title={say.addOnsOf(brand.name, all.environments[environment])} onClose={onClose}>
      <ul class="add-ons">
        {approvals.map((approval) => {
          const has = at.approvals.includes(approval);
          const { name, says } = approvalWords.names[approval];
          return (
            <li key={approval}>
              <span>
                <strong>{name}</strong> <span class="quiet">{says}</span>
              </span>
              <Button
                label={has ? say.revoke : say.grant}
                subject={name}
                look={has ? "small danger" : "small"}
                onClick={() => setAsked(approval)}
              />
            </li>
          );
        })}
      </ul>
      <div class="row-actions">
        <Button label={words.close} onClick={onClose} />
      </div>
    </Dialog>
  );
}
