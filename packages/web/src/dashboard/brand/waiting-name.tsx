import type { WaitingName } from "@countersign/contract/dashboard-shapes";
import type { ComponentChildren } from "preact";
import { Notice, Time } from "../controls/controls.tsx";
import { Pairs } from "../controls/pairs.tsx";
import { words } from "../words.ts";
import { waitingWords as say } from "./words-waiting.ts";

/** A name that waits for the operator's approval, with the name in use. */
export function WaitingNote({ name, children }: { name: WaitingName; children?: ComponentChildren }) {
  return (
    <Notice>
      <p>
        <strong>{say.tag}</strong> · {say.nameOf(name.path)}
      </p>
      <Pairs
        of={[
          [say.requested, name.requested],
          [say.current, name.current ?? words.none],
          [say.since, <Time key={name.path} at={name.requestedAt} />],
        ]}
      />
      {children}
    </Notice>
  );
}
