import type { BrandInEnvironment, ConsoleBrand, ConsoleCustomer } from "@countersign/contract/console-customers";
import { namesPerson } from "@countersign/contract/console-personal";
import { useState } from "preact/hooks";
import { Button } from "../dashboard/controls/button.tsx";
import { Empty, Notice } from "../dashboard/controls/controls.tsx";
import { CopyBlock } from "../dashboard/controls/copy.tsx";
import { figure, Table } from "../dashboard/controls/table.tsx";
import { Link, putQuery, useQuery } from "../dashboard/frame/navigation.tsx";
import { Load, Page, useLoad } from "../dashboard/frame/page.tsx";
import { Field } from "../ui/field.tsx";
import { Form } from "../ui/form.tsx";
import { api } from "./api.ts";
import { Spark } from "./spark.tsx";
import { countOf } from "./tile.tsx";
import { say as all } from "./words.ts";
import { customerWords as say } from "./words-customers.ts";

/** Customers with their brands: those that need somebody first, and how much each brand does. */
export function CustomersScreen() {
  const search = useQuery().get("search") ?? "";
  const [typed, setTyped] = useState(search);
  const [given, setGiven] = useState(search);
  // A link on this page searches too.
  if (search !== given) {
    setGiven(search);
    setTyped(search);
  }
  const { state } = useLoad(() => api.listConsoleCustomers({ query: { search } }), [search]);
  const [isPerson, setPerson] = useState(false);
  // The search is part of the address, which browsers and proxies keep.
  const find = () => (namesPerson(typed) ? setPerson(true) : putQuery({ search: typed.trim() }));
  return (
    <Page name="customers" title={say.title} lead={say.lead}>
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
            search === "" ? (
              <Empty title={say.noneYet} text={say.noneYetLead}>
                <CopyBlock title={say.createTitle} language="sh" text={say.createCommand} />
              </Empty>
            ) : (
              <Empty title={say.none} text={say.noneLead} />
            )
          ) : (
            <>
              {unusualFirst(data).map((customer) => (
                <Customer key={customer.uuid} customer={customer} search={search} />
              ))}
              {hasMore ? <Notice>{say.more}</Notice> : null}
            </>
          )
        }
      </Load>
    </Page>
  );
}

/** Whether nobody has granted production, so that every call there is refused. */
export const isUnapproved = ({ environment, approvals }: BrandInEnvironment) =>
  environment === "production" && !approvals.includes("production");

/** Whether a brand needs somebody: it fails, is limited, or waits for an answer. */
export const isTroubled = ({ mode, failingWebhooks, failed, askedAt }: BrandInEnvironment) =>
  mode !== "active" || failingWebhooks + failed > 0 || askedAt !== null;

/** Failing, limited or waiting, then unusual, then the others. */
function rankOf({ brands }: Pick<ConsoleCustomer, "brands">): number {
  const states = brands.flatMap(({ environments }) => environments);
  if (states.some(isTroubled)) return 0;
  return states.some(({ unusual }) => unusual !== null) ? 1 : 2;
}

function unusualFirst(customers: readonly ConsoleCustomer[]): ConsoleCustomer[] {
  return customers.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** The brands that a search is about: those that match it. All, if only the customer itself matches. */
function matching(brands: readonly ConsoleBrand[], search: string): readonly ConsoleBrand[] {
  const text = search.trim().toLowerCase();
  const found = brands.filter(({ uuid, name }) => uuid === text || name.toLowerCase().includes(text));
  return found.length === 0 ? brands : found;
}

function Customer({ customer, search }: { customer: ConsoleCustomer; search: string }) {
  const { uuid, name, members, requiresPasskey, brands } = customer;
  const shown = matching(brands, search);
  const hidden = brands.length - shown.length;
  const inOrder = shown.toSorted((a, b) => rankOf({ brands: [a] }) - rankOf({ brands: [b] }));
  const rows = inOrder.flatMap((brand) => brand.environments.map((at) => ({ brand, at })));
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
          columns={[say.brand, say.in, say.mode, say.week, figure(say.calls)]}
        >
          {rows.map(({ brand, at }) => (
            <Row key={`${brand.uuid} ${at.environment}`} brand={brand} at={at} />
          ))}
        </Table>
      )}
      {hidden === 0 ? null : (
        <p class="quiet">
          <Link to={`/customers?search=${uuid}`}>{say.otherBrands(hidden)}</Link>
        </p>
      )}
    </section>
  );
}

function Row({ brand, at }: { brand: ConsoleBrand; at: BrandInEnvironment }) {
  return (
    <tr>
      <th scope="row">
        <Link to={`/brands/${brand.uuid}?environment=${at.environment}`}>{brand.name}</Link>
        {at.externalName === brand.name ? null : <p class="quiet">{at.externalName}</p>}
      </th>
      <td>{all.environments[at.environment]}</td>
      <td>
        <StateTags at={at} />
      </td>
      <td>
        <WeekBars at={at} />
      </td>
      <td class="figure">
        <span class="block-label">{say.calls}: </span>
        {countOf(at.calls)} {at.failed === 0 ? null : <span class="tag bad">{say.failed(at.failed)}</span>}
      </td>
    </tr>
  );
}

/** What is wrong or unusual. A brand without either just works. */
export function StateTags({ at }: { at: BrandInEnvironment }) {
  const isClosed = isUnapproved(at);
  const isCalm = at.mode === "active" && at.failingWebhooks === 0 && at.unusual === null && !isClosed;
  return (
    <span class="tags">
      {isClosed ? (
        <span class={at.askedAt === null ? "tag" : "tag warn"}>
          {at.askedAt === null ? say.notApproved : say.waits}
        </span>
      ) : null}
      {isCalm ? <span class="quiet">{say.modes.active}</span> : null}
      {at.mode === "active" ? null : <span class="tag bad">{say.modes[at.mode]}</span>}
      {at.failingWebhooks === 0 ? null : <span class="tag warn">{say.failingWebhooks(at.failingWebhooks)}</span>}
      {at.unusual === null ? null : <span class="tag warn">{say.unusual[at.unusual]}</span>}
    </span>
  );
}

/** The calls of seven days. */
export function WeekBars({ at, failedDays }: { at: BrandInEnvironment; failedDays?: readonly number[] }) {
  return (
    <Spark
      label={say.callsOfDays(at.days)}
      values={at.days}
      bad={failedDays ?? []}
      say={(place) => say.callsOfDay(at.days.length - 1 - place, at.days[place] ?? 0)}
    />
  );
}
