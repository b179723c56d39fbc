import type { AccountDevice } from "@countersign/contract/account";
import { Laptop, Smartphone, Tablet } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { Icon } from "../../ui/icon.tsx";
import type { Outcome } from "../api.ts";
import { Notice } from "../status.tsx";
import { accountApi } from "./account-api.ts";
import { AccountFrame, useAccountWords } from "./account-frame.tsx";
import { timeText } from "./dates.ts";

type Props = { onBack(): void; onOver(code: string): void };

/** The devices on which the person is signed in. Each can be signed out. */
export function DevicesScreen({ onBack, onOver }: Props) {
  const { say, language } = useAccountWords();
  const [devices, setDevices] = useState<AccountDevice[]>();
  const [trouble, setTrouble] = useState<string>();
  const take = (outcome: Outcome<{ devices: AccountDevice[] }>) => {
    if (outcome.kind === "ok") setDevices(outcome.value.devices);
    else onOver(outcome.trouble.code);
  };
  useEffect(() => void accountApi.listDevices().then(take), []);
  const end = async (asked: ReturnType<typeof accountApi.signOutOthers>, failed: string) => {
    setTrouble(undefined);
    const outcome = await asked;
    // The page is left only if this session has ended, too.
    if (outcome.kind === "ok" || outcome.trouble.code === "OVER") take(outcome);
    else setTrouble(failed);
  };
  const nameOf = ({ device }: AccountDevice) => (device === "" ? say.unknownDevice : device);
  // Stable, so the others stay in the order of the service: the newest first.
  const sorted = (devices ?? []).toSorted((one, other) => Number(other.current) - Number(one.current));
  const hasOthers = devices?.some(({ current }) => !current) ?? false;
  return (
    <AccountFrame step="devices" title={say.devicesTitle} onBack={onBack}>
      {devices === undefined ? null : (
        <p class="lead">
          {hasOthers ? say.devicesText : say.onlyDevice} {say.devicesIdle}
        </p>
      )}
      <ul class="list plain">
        {sorted.map((one) => (
          <li class="row device" key={one.uuid}>
            <span class="tile">
              <Icon node={iconOf(one)} />
            </span>
            <div>
              <span class="titled">
                <span class="who">{nameOf(one)}</span>
                {one.current ? <span class="tag live">{say.thisDevice}</span> : null}
              </span>
              <span class="about">
                {one.current ? say.usedNow : say.usedAt(timeText(one.usedAt, language))}
                <br />
                {say.since(timeText(one.createdAt, language))}
              </span>
            </div>
            {one.current ? null : (
              <button
                type="button"
                class="link"
                onClick={() =>
                  void end(accountApi.signOutDevice({ params: { uuid: one.uuid } }), say.notEnded(nameOf(one)))
                }
              >
                {say.signOut}
                <span class="hidden"> {nameOf(one)}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      <Notice text={trouble} />
      {hasOthers ? (
        <div class="actions">
          <button type="button" class="button" onClick={() => void end(accountApi.signOutOthers(), say.othersNotEnded)}>
            {say.endOthers}
          </button>
        </div>
      ) : null}
    </AccountFrame>
  );
}

/** A picture of the device, by the system in its name. */
function iconOf({ device }: AccountDevice) {
  if (/iPad/.test(device)) return Tablet;
  return /iPhone|Android/.test(device) ? Smartphone : Laptop;
}
