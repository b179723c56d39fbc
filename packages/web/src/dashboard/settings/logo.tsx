import type { SettingsView } from "@countersign/contract/dashboard-brands";
import { logoBytesMax, logoTypes } from "@countersign/contract/logo";
import { useRef } from "preact/hooks";
import { api } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Notice, TroubleNotice } from "../controls/controls.tsx";
import { type BrandPageProps, isServed, may, useAction } from "../frame/page.tsx";
import { words } from "../words.ts";
import type { Editing } from "./use-settings.ts";

const say = words.styling.logo;
type Props = Pick<BrandPageProps, "me" | "brand" | "environment"> & { editing: Editing; view: SettingsView };

/** The logo above every screen. A chosen file is uploaded at once. */
export function Logo({ me, brand, environment, editing, view }: Props) {
  const action = useAction();
  const input = useRef<HTMLInputElement>(null);
  const params = { brand: brand.uuid, environment };
  const query = { version: String(view.version) };
  const { logoUrl } = view.settings.styling;
  const choose = (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > logoBytesMax)
      return action.fail({ kind: "invalid", message: "", problems: [{ path: "", message: say.tooLarge }] });
    void action.run(() => api.putLogo({ params, query, image: file }), editing.adopt);
    if (input.current !== null) input.current.value = "";
  };
  if (!isServed({ me, environment })) return <Notice>{say.notServed}</Notice>;
  return (
    <fieldset class="group logo" disabled={!may(me, "developer") || action.isBusy}>
      <legend>{words.styling.labels.logoUrl}</legend>
      <TroubleNotice trouble={action.trouble} />
      <div class="row-actions">
        {logoUrl === null ? (
          <span class="quiet">{say.none}</span>
        ) : (
          <img src={logoUrl} alt={say.alt} width="48" height="48" />
        )}
        <label class="button">
          {logoUrl === null ? say.choose : say.replace}
          <input
            ref={input}
            class="hidden"
            type="file"
            accept={logoTypes.join(",")}
            aria-describedby="logo-hint"
            onChange={(event) => choose(event.currentTarget.files?.[0])}
          />
        </label>
        {logoUrl === null ? null : (
          <Button
            label={say.remove}
            onClick={() => void action.run(() => api.deleteLogo({ params, query }), editing.adopt)}
          />
        )}
      </div>
      <p class="about" id="logo-hint">
        {say.hint}
      </p>
    </fieldset>
  );
}
