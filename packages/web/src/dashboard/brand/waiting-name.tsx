import type { WaitingName } from "@countersign/contract/dashboard-shapes";
import type { ComponentChildren } from "preact";
import { Notice, Time } from "../controls/controls.tsx";
import { words } from "../words.ts";
import { waitingWords as say } from "./words-waiting.ts";

/** A name that waits for the operator's approval, with the name in use. */
export function WaitingNote({ name, children }: { name: WaitingName; children?: ComponentChildren }) {
  return (
    <Notice>
      <p>
        <strong>{say.tag}</strong> · {say.nameOf(name.path)}
      </p>
      <dl class="pairs">
        <div>
          <dt>{say.requested}</dt>
          <dd>{name.requested}</dd>
        </div>
        <div>
          <dt>{say.current}</dt>
          <dd>{name.current ?? words.none}</dd>
        </div>
        <div>
          <dt>{say.since}</dt>
          <dd>
            <Time at={name.requestedAt} />
          </dd>
        </div>
      </dl>
      {children}
    </Notice>
  );
}
