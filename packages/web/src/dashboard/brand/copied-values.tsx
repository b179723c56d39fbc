import { linesOf } from "../settings/setting-diff.tsx";
import { settingName } from "../settings/setting-texts.ts";

/** The values that a copy to production sets, for the question before it. */
export function CopiedValues({ of }: { of: readonly { path: string; value: unknown }[] }) {
  return (
    <dl class="pairs">
      {of.map(({ path, value }) => (
        <div key={path}>
          <dt>{settingName(path)}</dt>
          <dd>
            {linesOf(path, value).map((line) => (
              <p key={line}>{line}</p>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
