import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { BrandTools } from "../brand/brand-tools.tsx";
import { Section } from "../controls/section.tsx";
import { Link } from "../frame/navigation.tsx";
import { type BrandPageProps, isServed, may, Page } from "../frame/page.tsx";
import { words } from "../words.ts";
import { Legal } from "./legal.tsx";
import { SettingField } from "./settings-field.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { useSettings } from "./use-settings.ts";
import { type SectionWords, sections, sectionsOf } from "./words-settings.ts";

/** Shows one section of a brand's settings at a time. Edits belong to the section that is shown. */
export function SettingsScreen(props: BrandPageProps) {
  const { me, brand, environment, params } = props;
  const section = sections.find(({ id }) => id === params.section) ?? sections[0];
  const editing = useSettings({ brand: brand.uuid, environment });
  useEffect(() => editing.discard(), [params.section]);
  if (section === undefined) return null;
  const { state } = editing;
  const type = brand.environments.find((one) => one.environment === environment)?.integrationType;
  return (
    <Page name="settings" title={words.nav.settings} aside={<BrandTools {...props} />}>
      <Tabs
        shown={sections.filter((one) => one === section || sectionsOf(type).includes(one))}
        current={section}
        base={`/brands/${brand.uuid}/${environment}/settings`}
      />
      <Section id={`section-${section.id}`} title={section.title} lead={section.lead}>
        <SettingsForm
          key={section.id}
          editing={editing}
          mayEdit={may(me, "developer")}
          notServed={!isServed(props)}
          edits={section.fields.map(({ path }) => path)}
        >
          {section.id === "consent" ? (
            <Legal
              name={String(editing.valueOf("externalName"))}
              requests={editing.valueOf("defaultCredentialRequests")}
              health={editing.valueOf("health.enabled") === true}
              me={me}
            />
          ) : null}
          {state.kind === "ok"
            ? section.fields.map((field) => (
                <SettingField key={`${field.path} ${field.label}`} field={field} editing={editing} view={state.value} />
              ))
            : null}
        </SettingsForm>
      </Section>
    </Page>
  );
}

type TabsProps = { shown: readonly SectionWords[]; current: SectionWords; base: string };

/** The sections. On a phone they scroll sideways, and the current one is in view. */
function Tabs({ shown, current, base }: TabsProps) {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (tab !== null && tab !== undefined && list.current !== null)
      list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.clientWidth) / 2;
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
