import type { Environment } from "@countersign/contract/brand";
import type { BrandLine } from "@countersign/contract/dashboard-brands";
import { Plus } from "lucide";
import { Icon } from "../../ui/icon.tsx";
import { api } from "../api.ts";
import { Day, Empty, Time } from "../controls/controls.tsx";
import { Table } from "../controls/table.tsx";
import { Link } from "../frame/navigation.tsx";
import { environmentNames, isEmpty, Load, may, Page, type PageProps, useLoad } from "../frame/page.tsx";
import { words } from "../words.ts";

const say = words.brands;

export function BrandsScreen({ me }: PageProps) {
  const { state } = useLoad(() => api.listBrands(), []);
  const create = may(me, "developer") ? (
    <Link to="/brands/new" class="button main">
      <Icon node={Plus} /> {say.create}
    </Link>
  ) : null;
  return (
    <Page name="brands" title={say.title} lead={say.lead} aside={isEmpty(state) ? null : create}>
      <Load of={state}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={say.none} text={say.noneLead}>
              {create}
            </Empty>
          ) : (
            <BrandTable brands={data} />
          )
        }
      </Load>
    </Page>
  );
}

function BrandTable({ brands }: { brands: readonly BrandLine[] }) {
  return (
    <Table
      class="blocks brands"
      columns={[
        say.columns.name,
        say.columns.type,
        ...environmentNames.map((name) => say.columns[name]),
        say.columns.lastUsed,
        say.columns.created,
      ]}
    >
      {brands.map((brand) => (
        <tr key={brand.uuid}>
          <th scope="row">
            <Link to={`/brands/${brand.uuid}/sandbox/start`}>{brand.name}</Link>
            <OtherNames brand={brand} />
          </th>
          <td>{typeOf(brand)}</td>
          {environmentNames.map((name) => (
            <td key={name}>
              <span class="block-label">{say.columns[name]}: </span>
              <State brand={brand} name={name} />
            </td>
          ))}
          <td>
            <span class="block-label">
              {typeOf(brand)} · {brand.lastUsedAt === null ? say.noRequests : say.used}{" "}
            </span>
            {brand.lastUsedAt === null ? <span class="unused">{words.none}</span> : <Time at={brand.lastUsedAt} />}
          </td>
          <td>
            <span class="block-label">{say.columns.created}: </span>
            <Day at={brand.createdAt} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function typeOf({ environments }: BrandLine): string {
  const [first] = environments;
  return first === undefined ? "" : words.types[first.integrationType].name;
}

/** Shows the operator's restriction of a brand, if there is one. */
export function ModeTag({ mode }: Pick<BrandLine["environments"][number], "mode">) {
  return mode === "active" ? null : <span class="tag bad">{words.brands.modes[mode]}</span>;
}

function State({ brand, name }: { brand: BrandLine; name: Environment }) {
  const found = brand.environments.find(({ environment }) => environment === name);
  if (found === undefined) return <span class="tag">{say.notSet}</span>;
  if (found.mode !== "active") return <ModeTag mode={found.mode} />;
  return found.isApproved ? (
    <span class="tag good">{say.states[name]}</span>
  ) : (
    <span class="tag warn">{say.notApproved}</span>
  );
}

/** The names that people see, for environments where they differ from the name in the dashboard. */
function OtherNames({ brand: { name, environments } }: { brand: BrandLine }) {
  return environments
    .filter(({ externalName }) => externalName !== name)
    .map(({ environment, externalName }) => (
      <p key={environment} class="quiet">
        {say.shownAs(words.environments[environment], externalName)}
      </p>
    ));
}
