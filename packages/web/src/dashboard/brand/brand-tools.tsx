import { useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { api, problemWith } from "../api.ts";
import { Button } from "../controls/button.tsx";
import { Dialog, TroubleNotice } from "../controls/controls.tsx";
import { type BrandPageProps, may, useAction } from "../frame/page.tsx";
import { words } from "../words.ts";
import { FirstKey, type Made } from "./first-key.tsx";

const say = words.brandTools;

/** Actions on a whole brand: rename and duplicate. */
export function BrandTools({ me, brand, reloadBrand }: BrandPageProps) {
  const [open, setOpen] = useState<"rename" | "duplicate" | null>(null);
  const [name, setName] = useState("");
  const [made, setMade] = useState<Made | null>(null);
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
      <Button label={say.rename} look="small" onClick={() => begin("rename")} />
      <Button label={say.duplicate} look="small" onClick={() => begin("duplicate")} />
      {open === null ? null : (
        <Dialog title={open === "rename" ? say.renameTitle : say.duplicateTitle} onClose={() => setOpen(null)}>
          <p class="quiet">{open === "rename" ? say.renameLead : say.duplicateLead}</p>
          <TroubleNotice trouble={action.trouble} beside={["name"]} />
          <Field
            id="brand-name"
            label={words.brands.name}
            error={problemWith(action.trouble, "name")}
            input={{ value: name, maxLength: 100, onInput: (event) => setName(event.currentTarget.value) }}
          />
          <div class="row-actions">
            <Button label={words.cancel} onClick={() => setOpen(null)} />
            <Button label={open === "rename" ? words.save : say.duplicate} look="main" onClick={submit} />
          </div>
        </Dialog>
      )}
      {made === null ? null : <FirstKey {...made} />}
    </div>
  );
}
