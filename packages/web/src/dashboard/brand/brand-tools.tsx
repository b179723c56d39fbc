import { useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { api, problemWith } from "../api.ts";
import { Dialog, TroubleNotice } from "../controls/controls.tsx";
import { ShownOnce } from "../controls/copy.tsx";
import { go } from "../frame/navigation.tsx";
import { type BrandPageProps, may, useAction } from "../frame/page.tsx";
import { words } from "../words.ts";
import { keepKey } from "./keys-in-memory.ts";

const say = words.brandTools;

/** Actions on a whole brand: rename and duplicate. */
export function BrandTools({ me, brand, reloadBrand }: BrandPageProps) {
  const [open, setOpen] = useState<"rename" | "duplicate" | null>(null);
  const [name, setName] = useState("");
  const [made, setMade] = useState<{ uuid: string; apiKey: string } | null>(null);
  const action = useAction();
  if (!may(me, "developer")) return null;
  const begin = (what: "rename" | "duplicate") => {
    setName(what === "rename" ? brand.name : say.copyOf(brand.name));
    setOpen(what);
  };
  const params = { brand: brand.uuid };
  const body = { name: name.trim() };
  const submit = () => {
    if (open === "rename")
      return void action.run(
        () => api.renameBrand({ params, body }),
        () => {
          setOpen(null);
          reloadBrand();
        },
      );
    void action.run(
      () => api.duplicateBrand({ params, body }),
      (copy) => {
        setOpen(null);
        setMade(copy);
      },
    );
  };
  return (
    <div class="row-actions">
      <button type="button" class="button small" onClick={() => begin("rename")}>
        {say.rename}
      </button>
      <button type="button" class="button small" onClick={() => begin("duplicate")}>
        {say.duplicate}
      </button>
      {open === null ? null : (
        <Dialog title={open === "rename" ? say.renameTitle : say.duplicateTitle} onClose={() => setOpen(null)}>
          <p class="quiet">{open === "rename" ? say.renameLead : say.duplicateLead}</p>
          {action.trouble === null ? null : <TroubleNotice trouble={action.trouble} />}
          <Field
            id="brand-name"
            label={words.brands.name}
            error={problemWith(action.trouble, "name")}
            input={{ value: name, maxLength: 100, onInput: (event) => setName(event.currentTarget.value) }}
          />
          <div class="row-actions">
            <button type="button" class="button main" onClick={submit}>
              {open === "rename" ? words.save : say.duplicate}
            </button>
            <button type="button" class="button" onClick={() => setOpen(null)}>
              {words.cancel}
            </button>
          </div>
        </Dialog>
      )}
      {made === null ? null : (
        <ShownOnce
          title={words.brands.keyTitle}
          secret={made.apiKey}
          onClose={() => {
            keepKey(made.uuid, "sandbox", made.apiKey);
            go(`/brands/${made.uuid}/sandbox/start`);
          }}
        />
      )}
    </div>
  );
}
