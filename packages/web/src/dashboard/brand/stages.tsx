import type { ApprovalsView } from "@countersign/contract/dashboard-brands";
import { Check as CheckMark } from "lucide";
import { Icon } from "../../ui/icon.tsx";
import { Time } from "../controls/controls.tsx";
import { approvalWords as say } from "./words-approvals.ts";

/** The three stages of an approval. The current one says what to do. */
export function Stages({ request, done, of }: Pick<ApprovalsView, "request"> & { done: number; of: number }) {
  const isRequested = request !== undefined && request.refused === undefined;
  const current = isRequested ? 2 : done === of ? 1 : 0;
  const details = [
    current > 0 ? null : say.stages.prepareNext(done, of),
    request === undefined || !isRequested ? (
      say.stages.requestNext
    ) : (
      <>
        {say.requested(request.by)} <Time at={request.at} />.
      </>
    ),
    say.stages.reviewNext,
  ];
  const titles = [say.stages.prepare, say.stages.request, say.stages.review];
  return (
    <ol class="stages" aria-label={say.stages.title}>
      {titles.map((title, at) => (
        <li
          key={title}
          class={at < current ? "done" : at === current ? "current" : ""}
          aria-current={at === current ? "step" : undefined}
        >
          <span class="stage-mark" aria-hidden="true">
            {at < current ? <Icon node={CheckMark} /> : at + 1}
          </span>
          <div>
            <strong>{title}</strong>
            {at < current ? <span class="hidden"> ({say.met})</span> : null}
            {details[at] === null || at > current ? null : <p class="quiet">{details[at]}</p>}
          </div>
        </li>
      ))}
    </ol>
  );
}
