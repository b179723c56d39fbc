import type { LogFilter } from "@countersign/contract/dashboard-reporting";
import { useEffect, useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { Select } from "../controls/controls.tsx";
import { FilterForm, Instant } from "../controls/filter-form.tsx";
import { words } from "../words.ts";
import { reportingWords } from "./words-reporting.ts";

const say = reportingWords.log;
type Typed = Record<"status" | "errorCode" | "route" | "uuid" | "phone" | "from" | "to", string>;
const nothing: Typed = { status: "", errorCode: "", route: "", uuid: "", phone: "", from: "", to: "" };
const texts = ["errorCode", "route", "uuid", "phone"] as const;
const instants = ["from", "to"] as const;
const hints = { errorCode: say.errorCodeHint, route: say.routeHint, uuid: say.uuidHint, phone: say.phoneHint };

/** The filter form of the request log. */
export function LogFilterForm({ filter, onApply }: { filter: LogFilter; onApply(filter: LogFilter): void }) {
  const [typed, setTyped] = useState<Typed>(nothing);
  // A link to the calls of one id also sets the filter.
  useEffect(
    () =>
      setTyped((now) =>
        filter.uuid === undefined || filter.uuid === now.uuid ? now : { ...nothing, uuid: filter.uuid },
      ),
    [filter],
  );
  const put = (name: keyof Typed, value: string) => setTyped({ ...typed, [name]: value });
  return (
    <FilterForm
      label={say.filter}
      onApply={() => onApply(filterOf(typed))}
      onClear={() => {
        setTyped(nothing);
        onApply({});
      }}
    >
      <Select
        id="log-status"
        label={say.status}
        value={typed.status}
        choices={say.statuses}
        onChange={(value) => put("status", value)}
      />
      {texts.map((name) => (
        <Field
          key={name}
          id={`log-${name}`}
          label={say[name]}
          hint={hints[name]}
          input={{
            value: typed[name],
            maxLength: 200,
            autocomplete: "off",
            spellcheck: false,
            onInput: (event) => put(name, event.currentTarget.value),
          }}
        />
      ))}
      {instants.map((name) => (
        <Instant
          key={name}
          id={`log-${name}`}
          label={words.filter[name]}
          value={typed[name]}
          onInput={(value) => put(name, value)}
        />
      ))}
    </FilterForm>
  );
}

function filterOf(typed: Typed): LogFilter {
  const status = (["succeeded", "refused", "broken"] as const).find((one) => one === typed.status);
  const [errorCode, route, uuid] = [typed.errorCode.trim().toUpperCase(), typed.route.trim(), typed.uuid.trim()];
  const phone = typed.phone.replace(/[\s().-]/g, "");
  return {
    ...(status === undefined ? {} : { status }),
    ...(errorCode === "" ? {} : { errorCode }),
    ...(route === "" ? {} : { route }),
    ...(uuid === "" ? {} : { uuid }),
    ...(phone === "" ? {} : { phone: phone.startsWith("+") ? phone : `+1${phone}` }),
    ...(typed.from === "" ? {} : { from: Date.parse(typed.from) }),
    ...(typed.to === "" ? {} : { to: Date.parse(typed.to) }),
  };
}
