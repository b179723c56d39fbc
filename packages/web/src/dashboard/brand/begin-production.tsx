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
      {({ version, settings, defaults }) => (
        <Confirm
          title={title}
          text={say.beginAsk}
          action={say.beginConfirm}
          onConfirm={() => onConfirm(version)}
          onClose={onClose}
        >
          <CopiedValues of={differences(settings, defaults).map(({ path, from }) => ({ path, value: from }))} />
        </Confirm>
      )}
    </Load>
  );
}
