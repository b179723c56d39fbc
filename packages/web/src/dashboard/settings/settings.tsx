import { BrandTools } from "../brand/brand-tools.tsx";
import { Link } from "../frame/navigation.tsx";
import { type BrandPageProps, isServed, may, Page } from "../frame/page.tsx";
import { words } from "../words.ts";
import { Legal } from "./legal.tsx";
import { SettingField } from "./settings-field.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { useSettings } from "./use-settings.ts";
import { sections } from "./words-settings.ts";

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
      <SettingsForm
        editing={editing}
        mayEdit={may(me, "developer")}
        notServed={!isServed(props)}
        edits={section.fields.map(({ path }) => path)}
      >
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
