import type { SettingsView } from "@countersign/contract/dashboard-brands";
import { neverSynced, type SectionId, settingsSections } from "@countersign/contract/settings-sections";
import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Confirm } from "../controls/confirm.tsx";
import { Notice, TroubleNotice } from "../controls/controls.tsx";
import { Table } from "../controls/table.tsx";
import { Link } from "../frame/navigation.tsx";
import { type BrandPageProps, Load, may, Page, useAction, useLoad, viewOnlyFor } from "../frame/page.tsx";
import { lineDiff } from "../settings/setting-diff.tsx";
import { settingName, settingText } from "../settings/setting-texts.ts";
import { type Difference, differences } from "../settings/settings-paths.ts";
import { words } from "../words.ts";
import { CopiedValues } from "./copied-values.tsx";
import { NoProduction } from "./production-setup.tsx";
import { copyWords } from "./words-copy.ts";
import { waitingWords } from "./words-waiting.ts";

const say = words.compare;
/** Maximum number of lines of one setting. A list of network rules may have thousands. */
const linesMax = 40;

/**
 * Compares both environments by section. Shows the differences, a copy button, and the settings that are never copied.
 */
export function CompareScreen(props: BrandPageProps) {
  const isSetUp = props.brand.environments.some(({ environment }) => environment === "production");
  return isSetUp ? <Compare {...props} /> : <NoProduction {...props} />;
}

function Compare({ me, brand }: BrandPageProps) {
  const ask = (environment: "sandbox" | "production") =>
    api.readSettings({ params: { brand: brand.uuid, environment } });
  const sandbox = useLoad(() => ask("sandbox"), [brand.uuid]);
  const production = useLoad(() => ask("production"), [brand.uuid]);
  const action = useAction();
  const mayCopy = may(me, "developer");
  const lead = mayCopy ? `${say.lead} ${say.leadOfCopy}` : say.lead;
  const runs = me.environments.some(({ environment }) => environment === "production");
  const sync = (section: SectionId, versions: { sourceVersion: number; version: number }) =>
    void action.run(
      () => api.syncSettings({ params: { brand: brand.uuid }, body: { section, to: "production", ...versions } }),
      production.put,
    );
  return (
    <Page name="compare" title={say.title} lead={lead} viewOnly={viewOnlyFor(me)}>
      {runs ? null : <Notice>{words.production.notServed(mayCopy)}</Notice>}
      <TroubleNotice trouble={action.trouble} />
      <Load of={sandbox.state}>
        {(left) => (
          <Load of={production.state}>
            {(right) => (
              <Sections
                base={`/brands/${brand.uuid}`}
                left={left}
                right={right}
                onSync={
                  mayCopy ? (section) => sync(section, { sourceVersion: left.version, version: right.version }) : null
                }
              />
            )}
          </Load>
        )}
      </Load>
    </Page>
  );
}

type SectionsProps = {
  /** The path of the brand's pages. */
  base: string;
  left: SettingsView;
  right: SettingsView;
  onSync: ((section: SectionId) => void) | null;
};

/** The page of a section. Some sections have their own page. */
function pageOf(id: SectionId): string {
  const own: Partial<Record<SectionId, string>> = {
    requests: "requests",
    styling: "styling",
    networkRules: "network-rules",
  };
  return own[id] ?? `settings/${id}`;
}

function Sections({ base, left, right, onSync }: SectionsProps) {
  const all = differences(left.settings, right.settings);
  const shown = settingsSections.filter(({ id }) => id !== "v1" || left.settings.integrationType === "v1");
  const same = shown.filter(({ members }) => !all.some(isOf(members)));
  const [asked, setAsked] = useState<{ id: SectionId; copied: Difference[] } | null>(null);
  return (
    <>
      {asked === null || onSync === null ? null : (
        <Confirm
          title={copyWords.title(say.sections[asked.id])}
          text={copyWords.ask}
          action={say.sync}
          onConfirm={() => onSync(asked.id)}
          onClose={() => setAsked(null)}
        >
          <CopiedValues of={asked.copied.map(({ path, from }) => ({ path, value: from }))} />
        </Confirm>
      )}
      {settingsSections.map(({ id, members, keeps }) => {
        const inSection = all.filter(isOf(members));
        if (inSection.length === 0) return null;
        const stays: readonly { path: string; why: string }[] = keeps;
        const kept = (path: string) => stays.find((one) => path === one.path || path.startsWith(`${one.path}.`));
        const copied = inSection.filter(({ path }) => kept(path) === undefined);
        const isWaiting = copied.every(({ path, from }) =>
          right.waitingNames.some((name) => name.path === path && name.requested === from),
        );
        return (
          <section key={id} class="section" aria-labelledby={`section-${id}`}>
            <div class="section-head">
              <h2 id={`section-${id}`}>{say.sections[id]}</h2>
              {copied.length > 0 && onSync !== null ? (
                <>
                  {isWaiting ? (
                    <span class="quiet" id={`waiting-${id}`}>
                      {say.requested} <Link to={`${base}/production/approvals`}>{waitingWords.tag}</Link>
                    </span>
                  ) : null}
                  <Button
                    label={say.sync}
                    subject={say.sections[id]}
                    look="small"
                    disabled={isWaiting}
                    aria-describedby={isWaiting ? `waiting-${id}` : undefined}
                    onClick={() => setAsked({ id, copied })}
                  />
                </>
              ) : null}
            </div>
            <Rows
              rows={inSection}
              why={(path) => kept(path)?.why}
              waiting={(path) => waitingFor(right, path)}
              declareAt={onSync === null ? null : `${base}/production/settings/consent`}
            />
          </section>
        );
      })}
      {same.length === 0 ? null : (
        <section class="section" aria-labelledby="same">
          <h2 id="same">{say.same}</h2>
          <ul class="link-list">
            {same.map(({ id }) => (
              <li key={id}>
                <Link to={`${base}/sandbox/${pageOf(id)}`}>{say.sections[id]}</Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class="section" aria-labelledby="never">
        <h2 id="never">{say.never}</h2>
        <ul>
          {neverSynced.map(({ path, why }) => (
            <li key={path}>
              {settingName(path)}: {why.charAt(0).toLowerCase() + why.slice(1)}
            </li>
          ))}
          <li>{say.neverKeys}</li>
        </ul>
      </section>
    </>
  );
}

/** The copied value that waits for the operator's approval. */
function waitingFor({ waitingNames }: SettingsView, path: string): string | undefined {
  const name = waitingNames.find((one) => one.path === path);
  return name === undefined ? undefined : `${waitingWords.tag}: ${name.requested}`;
}

/** Whether a difference is in one of these members or below one. */
function isOf(members: readonly string[]): (difference: Difference) => boolean {
  return ({ path }) => members.some((member) => path === member || path.startsWith(`${member}.`));
}

type Said = (path: string) => string | undefined;
type RowsProps = {
  rows: readonly Difference[];
  why: Said;
  waiting: Said;
  /** Where the consent is declared in production. Null if the member may not. */
  declareAt: string | null;
};

function Rows({ rows, why, waiting, declareAt }: RowsProps) {
  return (
    <Table
      class="compare blocks"
      columns={[words.settings.setting, words.environments.sandbox, words.environments.production]}
    >
      {rows.map((row) => {
        const { path, from, to } = row;
        const lines = linePairs(row);
        return (
          <Fragment key={path}>
            {lines.map(([left, right], place) => (
              <tr key={`${left} ${right}`} class={place === 0 ? "" : "line"}>
                {place > 0 ? null : (
                  <th scope="row" rowSpan={lines.length}>
                    {settingName(path)}
                    {why(path) === undefined ? null : <p class="quiet">{why(path)}</p>}
                    {path === "consent.declared" && to === false && declareAt !== null ? (
                      <p>
                        <Link to={declareAt}>{say.declare}</Link>
                      </p>
                    ) : null}
                    {settingText(path, from) === settingText(path, to) ? <p class="quiet">{say.inDetails}</p> : null}
                    {lines.length === 1 || lineDiff(row).same === 0 ? null : (
                      <p class="quiet">{say.sameLines(lineDiff(row).same)}</p>
                    )}
                  </th>
                )}
                <td>
                  <span class="block-label">{words.environments.sandbox}: </span>
                  <Line text={left} isOnly={lines.length > 1} />
                </td>
                <td>
                  <span class="block-label">{words.environments.production}: </span>
                  <Line text={right} isOnly={lines.length > 1} />
                  {place > 0 || waiting(path) === undefined ? null : <p class="quiet">{waiting(path)}</p>}
                </td>
              </tr>
            ))}
          </Fragment>
        );
      })}
    </Table>
  );
}

/** The lines of both sides, next to each other. A list shows only the lines that one side lacks. */
function linePairs(row: Difference): [string | undefined, string | undefined][] {
  const { from, to } = lineDiff(row);
  const count = Math.max(from.length, to.length);
  const isList = from.length > 1 || to.length > 1 || (Array.isArray(row.from) && Array.isArray(row.to));
  if (count === 0 || !isList) return [[settingText(row.path, row.from), settingText(row.path, row.to)]];
  return Array.from({ length: Math.min(count, linesMax) }, (_, place) => [from[place], to[place]]);
}

/** One line of one side. `isOnly`: the other side lacks it. */
function Line({ text, isOnly }: { text: string | undefined; isOnly: boolean }) {
  if (text === undefined) return <span class="quiet">{words.none}</span>;
  if (!isOnly) return <>{text}</>;
  return (
    <span class="only-here">
      <span class="hidden">{say.onlyHere} </span>
      {text}
    </span>
  );
}
