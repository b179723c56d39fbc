import { consentParts, proving, provingText } from "@countersign/contract/consent";
import type { Me } from "@countersign/contract/dashboard";
import type { SettingsView } from "@countersign/contract/dashboard-brands";
import { Fragment } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isRecord } from "../../api/client.ts";
import { BrandTools } from "../brand/brand-tools.tsx";
import { Button } from "../controls/button.tsx";
import { Notice } from "../controls/controls.tsx";
import { CopyButton, CopyValue } from "../controls/copy.tsx";
import { Section } from "../controls/section.tsx";
import { Link } from "../frame/navigation.tsx";
import { type BrandPageProps, isServed, may, Page, viewOnlyFor } from "../frame/page.tsx";
import { words } from "../words.ts";
import type { FieldWords, SectionWords } from "./field-words.ts";
import { linesOf, SettingChanges } from "./setting-diff.tsx";
import { settingName, settingText } from "./setting-texts.ts";
import { SettingField } from "./settings-field.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { valueAt } from "./settings-paths.ts";
import { type Editing, useSettings } from "./use-settings.ts";
import { diffWords } from "./words-diff.ts";
import { fieldsOf, idNames, sections, sectionsOf } from "./words-settings.ts";

/** Shows one section of a brand's settings at a time. Edits belong to the section that is shown. */
export function SettingsScreen(props: BrandPageProps) {
  const { me, brand, environment, params } = props;
  const section = sections.find(({ id }) => id === params.section) ?? sections[0];
  const editing = useSettings({ brand: brand.uuid, environment });
  useEffect(() => editing.discard(), [params.section]);
  if (section === undefined) return null;
  const legal = {
    name: String(editing.valueOf("externalName")),
    requests: editing.valueOf("defaultCredentialRequests"),
    health: editing.valueOf("health.enabled") === true,
    me,
  };
  const { state } = editing;
  const idName = idNames[section.id];
  const base = `/brands/${brand.uuid}/${environment}/settings`;
  const type = brand.environments.find((one) => one.environment === environment)?.integrationType;
  return (
    <Page
      name="settings"
      title={words.nav.settings}
      viewOnly={viewOnlyFor(me)}
      aside={section.id === "general" ? <BrandTools {...props} /> : null}
    >
      <Tabs
        shown={sections.filter((one) => one === section || sectionsOf(type).includes(one))}
        current={section}
        base={base}
      />
      {section.id === "v1" && type !== undefined && type !== "v1" ? (
        <Notice>
          {words.settings.notV1(words.types[type].name)}{" "}
          {may(me, "developer") && state.kind === "ok" && state.value.mayBecome.includes("v1") ? (
            <>
              {words.settings.toUseV1} <Link to={`${base}/general`}>{words.settings.changeType}</Link>.
            </>
          ) : null}
        </Notice>
      ) : null}
      <Section id={`section-${section.id}`} title={section.title} lead={section.lead}>
        {idName === undefined ? null : (
          <div class="field">
            <div class="label">{idName}</div>
            <CopyValue text={brand.uuid} subject={idName} />
          </div>
        )}
        <div class="beside">
          <SettingsForm
            key={section.id}
            editing={editing}
            mayEdit={may(me, "developer")}
            notServed={!isServed(props)}
            edits={section.fields.map(({ path }) => path)}
          >
            {section.id === "consent" ? <Legal {...legal} /> : null}
            {state.kind === "ok" ? (
              <Fields
                fields={fieldsOf(section, type)}
                editing={editing}
                view={state.value}
                mayEdit={may(me, "developer")}
                sentence={plainSentence(legal)}
              />
            ) : null}
          </SettingsForm>
          {state.kind === "ok" ? (
            <Changes
              editing={editing}
              view={state.value}
              fields={fieldsOf(section, type)}
              mayEdit={may(me, "developer")}
            />
          ) : null}
        </div>
      </Section>
    </Page>
  );
}

type ChangesProps = { editing: Editing; view: SettingsView; fields: readonly FieldWords[]; mayEdit: boolean };

/** Beside the fields: the unsaved edits line by line, and the settings of the section that differ from their default. */
function Changes({ editing, view, fields, mayEdit }: ChangesProps) {
  const say = diffWords.changes;
  const paths = [...new Set(fields.map(({ path }) => path))];
  const differing = paths.filter(
    (path) =>
      JSON.stringify(valueAt(view.settings, path) ?? null) !== JSON.stringify(valueAt(view.defaults, path) ?? null),
  );
  return (
    <aside class="changes-box" aria-label={say.title}>
      {mayEdit ? (
        <>
          <h3>{say.title}</h3>
          {editing.edited.length === 0 ? <p class="quiet">{say.none}</p> : <SettingChanges of={editing.edited} />}
        </>
      ) : null}
      <h3>{say.differs}</h3>
      {differing.length === 0 ? (
        <p class="quiet">{say.allDefault}</p>
      ) : (
        <dl class="setting-changes">
          {differing.map((path) => (
            <div key={path}>
              <dt>{settingName(path)}</dt>
              <dd>
                {linesOf(path, valueAt(view.settings, path)).map((line) => (
                  <span key={line}>{line}</span>
                ))}
                <span class="quiet">{say.defaultIs(settingText(path, valueAt(view.defaults, path)))}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </aside>
  );
}

type FieldsProps = {
  fields: readonly FieldWords[];
  editing: Editing;
  view: SettingsView;
  mayEdit: boolean;
  /** The required sentence, which a button puts into the brand's own text. */
  sentence: string;
};

/**
 * The fields under their headings. A field that depends on a switch is below it, and disabled while the switch is off.
 */
function Fields({ fields, editing, view, mayEdit, sentence }: FieldsProps) {
  return (
    <>
      {fields.map((field, at) => {
        const { path, label, group, needs } = field;
        const needed = needs === undefined ? true : editing.valueOf(needs);
        const control = <SettingField {...{ field, editing, view, mayEdit }} />;
        return (
          <Fragment key={`${path} ${label}`}>
            {group === undefined || group === fields[at - 1]?.group ? null : <h3 class="group-title">{group}</h3>}
            {needs === undefined ? (
              control
            ) : (
              <fieldset class="needs" disabled={needed !== true && typeof needed !== "string"}>
                {control}
              </fieldset>
            )}
            {path !== "consent.text" || !mayEdit || editing.valueOf(path) === sentence ? null : (
              <p>
                <Button label={words.legal.use} look="small" onClick={() => editing.set(path, sentence)} />
              </p>
            )}
          </Fragment>
        );
      })}
    </>
  );
}

type TabsProps = { shown: readonly SectionWords[]; current: SectionWords; base: string };

/** How much of the neighboring tab stays visible, in pixels. */
const tabPeek = 48;

/** The tabs of the sections. On a phone, they scroll just far enough to show the current one. */
function Tabs({ shown, current, base }: TabsProps) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (tab === null || tab === undefined || list.current === null) return;
    const { scrollLeft, clientWidth } = list.current;
    const [start, end] = [tab.offsetLeft - tabPeek, tab.offsetLeft + tab.clientWidth + tabPeek];
    if (start < scrollLeft) list.current.scrollLeft = start;
    else if (end > scrollLeft + clientWidth) list.current.scrollLeft = end - clientWidth;
  }, [current.id]);
  return (
    <ul ref={list} class="tabs" aria-label={words.nav.settings}>
      {shown.map(({ id, title }) => (
        <li key={id}>
          <Link to={`${base}/${id}`} current={id === current.id}>
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}

const say = words.legal;
type Props = { name: string; requests: unknown; health: boolean; me: Me };

/** The parts of the text that the brand must show to its users, from the contract. A link has its URL. */
function sentence({ name, requests, health, me }: Props): { text: string; url?: string }[] {
  const ssn = Array.isArray(requests) && requests.some((one) => isRecord(one) && one.type === "SsnCredential");
  const [wallet] = me.environments;
  const { text: piece } = proving[provingText({ known: false, asksFor: { data: true, ssn, health } })].en;
  return consentParts(piece, name).map(({ text, link }) =>
    link === undefined || wallet === undefined ? { text } : { text, url: `${wallet.walletUrl}/${link}` },
  );
}

/** The sentence as plain text, with the URL of its link. */
export const plainSentence = (props: Props): string =>
  sentence(props)
    .map(({ text, url }) => (url === undefined ? text : `${text} (${url})`))
    .join("");

/** The sentence that the brand's users must see before they continue, as the wallet shows it. */
export function Legal(props: Props) {
  return (
    <section aria-labelledby="legal">
      <h3 id="legal">{say.title}</h3>
      <p class="quiet">{say.lead}</p>
      <blockquote class="legal">
        {sentence(props).map(({ text, url }) =>
          url === undefined ? (
            text
          ) : (
            <a key={url} href={url} target="_blank" rel="noopener">
              {text}
            </a>
          ),
        )}
      </blockquote>
      {may(props.me, "developer") ? (
        <p>
          <CopyButton text={plainSentence(props)} subject={say.sentence} />
        </p>
      ) : null}
    </section>
  );
}
