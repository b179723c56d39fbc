import { Legal } from "../legal.tsx";
import { type BrandPageProps, isServed, may, Page } from "../page.tsx";
import { Link } from "../router.tsx";
import { SettingField } from "../settings-field.tsx";
import { SettingsForm } from "../settings-form.tsx";
import { sections } from "../settings-words.ts";
import { useSettings } from "../use-settings.ts";
import { words } from "../words.ts";
import { BrandTools } from "./brand-tools.tsx";

/** Shows one section of a brand's settings at a time. Edits belong to the section that is shown. */
export function SettingsScreen(props: BrandPageProps) {
  const { me, brand, environment, params } = props;
  const section = sections.find(({ id }) => id === params.section) ?? sections[0];
  const editing = useSettings({ brand: brand.uuid, environment });
  if (section === undefined) return null;
  const { state } = editing;
  return (
    <Page
      name="settings"
      title={`${words.nav.settings}: ${section.title}`}
      lead={section.lead}
      aside={<BrandTools {...props} />}
    >
      <ul class="tabs" aria-label={words.nav.settings}>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <Link to={`/brands/${brand.uuid}/${environment}/settings/${id}`} current={id === section.id}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
      <SettingsForm editing={editing} mayEdit={may(me, "developer")} notServed={!isServed(props)}>
        {state.kind === "ok"
          ? section.fields.map((field) => (
              <SettingField key={`${field.path} ${field.label}`} field={field} editing={editing} view={state.value} />
            ))
          : null}
        {section.id === "consent" ? (
          <Legal
            name={String(editing.valueOf("externalName"))}
            requests={editing.valueOf("defaultCredentialRequests")}
            health={editing.valueOf("health.enabled") === true}
            me={me}
          />
        ) : null}
      </SettingsForm>
    </Page>
  );
}
