import type { SettingsView } from "@countersign/contract/dashboard-brands";
import { neverSynced, type SectionId, settingsSections } from "@countersign/contract/settings-sections";
import { api } from "../api.ts";
import { Notice, TroubleNotice } from "../controls.tsx";
import { type BrandPageProps, Load, may, Page, useDeed, useLoad } from "../page.tsx";
import { type Difference, differences, textOf } from "../settings-paths.ts";
import { words } from "../words.ts";

const say = words.compare;

/** Both environments side by side, by section: what differs, what is copied by a button, and what never is. */
export function CompareScreen({ me, brand }: BrandPageProps) {
  const ask = (environment: "sandbox" | "production") => api.settings({ params: { brand: brand.uuid, environment } });
  const sandbox = useLoad(() => ask("sandbox"), [brand.uuid]);
  const production = useLoad(() => ask("production"), [brand.uuid]);
  const deed = useDeed();
  const runs = me.environments.some(({ environment }) => environment === "production");
  const sync = (section: SectionId, version: number) =>
    void deed.run(
      () => api.sync({ params: { brand: brand.uuid }, body: { section, to: "production", version } }),
      production.put,
    );
  return (
    <Page name="compare" title={`${say.title} · ${brand.name}`} lead={say.lead}>
      {runs ? null : <Notice>{words.production.notServed}</Notice>}
      {deed.trouble === null ? null : <TroubleNotice trouble={deed.trouble} />}
      <Load of={sandbox.state}>
        {(left) => (
          <Load of={production.state}>
            {(right) => (
              <Sections
                left={left}
                right={right}
                onSync={may(me, "developer") ? (section) => sync(section, right.version) : null}
              />
            )}
          </Load>
        )}
      </Load>
    </Page>
  );
}

type SectionsProps = { left: SettingsView; right: SettingsView; onSync: ((section: SectionId) => void) | null };

function Sections({ left, right, onSync }: SectionsProps) {
  const all = differences(left.settings, right.settings);
  return (
    <>
      {settingsSections.map(({ id, members, keeps }) => {
        const own: readonly string[] = members;
        const here = all.filter(({ path }) => own.some((member) => path === member || path.startsWith(`${member}.`)));
        const stays: readonly { path: string; why: string }[] = keeps;
        const kept = (path: string) => stays.find((one) => path === one.path || path.startsWith(`${one.path}.`));
        const canCopy = here.some(({ path }) => kept(path) === undefined);
        return (
          <section key={id} class="section" aria-labelledby={`section-${id}`}>
            <div class="section-head">
              <h2 id={`section-${id}`}>{say.sections[id]}</h2>
              {here.length === 0 ? <span class="tag good">{say.same}</span> : null}
              {canCopy && onSync !== null ? (
                <button type="button" class="button small" onClick={() => onSync(id)}>
                  {say.sync}
                  <span class="hidden"> {say.sections[id]}</span>
                </button>
              ) : null}
            </div>
            {here.length === 0 ? null : <Rows rows={here} why={(path) => kept(path)?.why} />}
          </section>
        );
      })}
      <section class="section" aria-labelledby="never">
        <h2 id="never">{say.never}</h2>
        <ul>
          {neverSynced.map(({ path, why }) => (
            <li key={path}>
              <code>{path}</code>: {why}
            </li>
          ))}
          <li>{say.neverKeys}</li>
        </ul>
      </section>
    </>
  );
}

function Rows({ rows, why }: { rows: readonly Difference[]; why(path: string): string | undefined }) {
  return (
    <div class="table-box">
      <table>
        <thead>
          <tr>
            <th scope="col">{words.settings.setting}</th>
            <th scope="col">{words.environments.sandbox}</th>
            <th scope="col">{words.environments.production}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ path, from, to }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path}</code>
                {why(path) === undefined ? null : <p class="quiet">{why(path)}</p>}
              </th>
              <td>{textOf(from)}</td>
              <td>{textOf(to)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
