import { api } from "../api.ts";
import { Confirm } from "../controls/confirm.tsx";
import { Load, useLoad } from "../frame/page.tsx";
import { differences } from "../settings/settings-paths.ts";
import { CopiedValues } from "./copied-values.tsx";
import { copyWords as say } from "./words-copy.ts";

type Props = { brandUuid: string; title: string; onConfirm(sourceVersion: number): void; onClose(): void };

/** Shows which sandbox settings differ from the defaults, before exactly these are copied. */
export function BeginProduction({ brandUuid, title, onConfirm, onClose }: Props) {
  const ask = () => api.readSettings({ params: { brand: brandUuid, environment: "sandbox" } });
  const { state } = useLoad(ask, [brandUuid]);
  return (
    <Load of={state}>
      {({ version, settings, defaults }) => {
        const changed = differences(settings, defaults).map(({ path, from }) => ({ path, value: from }));
        return (
          <Confirm
            title={title}
            text={changed.length === 0 ? say.beginDefaults : say.beginAsk}
            action={say.beginConfirm}
            look="main"
            onConfirm={() => onConfirm(version)}
            onClose={onClose}
          >
            {changed.length === 0 ? null : <CopiedValues of={changed} />}
          </Confirm>
        );
      }}
    </Load>
  );
}
