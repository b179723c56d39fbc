import type { Environment } from "@countersign/contract/brand";
import type { BrandLine } from "@countersign/contract/dashboard-brands";
import { firstLetter } from "@countersign/contract/monogram";
import { Plus } from "lucide";
import { Icon } from "../../ui/icon.tsx";
import { deviceNow } from "../../ui/now.ts";
import { api } from "../api.ts";
import { Bones } from "../controls/bones.tsx";
import { Ago, Empty } from "../controls/controls.tsx";
import { Link, withQuery } from "../frame/navigation.tsx";
import { environmentNames, isEmpty, Load, may, Page, type PageProps, useLoad } from "../frame/page.tsx";
import { overviewPath } from "../overview/home.tsx";
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
      <Load of={state} bones={<Bones of={["cards", "cards"]} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={say.none} text={say.noneLead}>
              {create}
            </Empty>
          ) : (
            <BrandCards brands={data} me={me} />
          )
        }
      </Load>
    </Page>
  );
}

/** The brands, last used first. */
function BrandCards({ brands, me }: { brands: readonly BrandLine[]; me: PageProps["me"] }) {
  const now = deviceNow();
  const { state } = useLoad(() => api.listBrandCalls(), []);
  const calls = state.kind === "ok" ? state.value.data : [];
  const usedOrMade = ({ lastUsedAt, createdAt }: BrandLine) => lastUsedAt ?? createdAt;
  const names = brands.map((brand) => titleOf(brand));
  return (
    <ul class="brand-cards">
      {[...brands]
        .sort((a, b) => usedOrMade(b) - usedOrMade(a))
        .map((brand) => {
          const title = titleOf(brand);
          const isAlone = names.filter((name) => name === title).length === 1;
          return (
            <li key={brand.uuid}>
              <span class="monogram" aria-hidden="true">
                {firstLetter(title)}
              </span>
              <div class="brand-names">
                <h2>
                  <Link to={overviewPath(brand, me)} class="brand-link">
                    {title}
                  </Link>
                </h2>
                <p class="quiet">
                  {typeOf(brand)}
                  {isAlone ? null : ` · ${say.idEnd(brand.uuid.slice(-idDigits))}`}
                </p>
                <OtherNames brand={brand} title={title} />
              </div>
              <p class="brand-states">
                {environmentNames.map((name) => (
                  <span key={name}>
                    <span class="quiet">{say.columns[name]}</span> <State brand={brand} name={name} />
                  </span>
                ))}
              </p>
              <p class="quiet brand-used">
                {brand.lastUsedAt === null ? (
                  <>
                    {say.noRequests} · {say.created} <Ago at={brand.createdAt} now={now} />
                  </>
                ) : (
                  <>
                    <Calls of={calls.filter(({ uuid }) => uuid === brand.uuid)} brand={brand.uuid} />
                    {say.used} <Ago at={brand.lastUsedAt} now={now} />
                  </>
                )}
              </p>
            </li>
          );
        })}
    </ul>
  );
}

type BrandCalls = { environment: Environment; all: number; failed: number };

/** A brand's calls in the last seven days: those of production, if there are any, or else those of the sandbox. */
function Calls({ of: all, brand }: { of: readonly BrandCalls[]; brand: string }) {
  const shown = all.find(({ environment }) => environment === "production") ?? all[0];
  if (shown === undefined) return null;
  const log = withQuery(`/brands/${brand}/${shown.environment}/log`, { status: "failed", range: "week" });
  return (
    <span class="brand-calls">
      {say.calls(shown.all)}
      {shown.failed === 0 ? null : (
        <>
          ,{" "}
          <Link to={log} class="failed-calls">
            {say.failed(shown.failed)}
          </Link>
        </>
      )}{" "}
      ·{" "}
    </span>
  );
}

/** How many digits of an id tell brands with the same name apart. */
const idDigits = 4;

/** The name that people see in the sandbox. In production, people see the account's name until the operator approves. */
function titleOf({ name, environments }: BrandLine): string {
  return environments.find(({ environment }) => environment === "sandbox")?.externalName ?? name;
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

/** The name in the dashboard, and the name that people see in the other environment, if they differ. */
function OtherNames({ brand: { name, environments }, title }: { brand: BrandLine; title: string }) {
  const others = environments.filter(({ externalName }) => externalName !== title);
  return (
    <>
      {name === title ? null : <p class="quiet">{say.namedHere(name)}</p>}
      {others.map(({ environment, externalName }) => (
        <p key={environment} class="quiet">
          {say.shownAs(words.environments[environment], externalName)}
        </p>
      ))}
    </>
  );
}
