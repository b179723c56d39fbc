import { type Pair, Pairs } from "../controls/pairs.tsx";
import { linesOf } from "../settings/setting-diff.tsx";
import { settingName } from "../settings/setting-texts.ts";

/** The values that a copy to production sets, for the question before it. */
export function CopiedValues({ of }: { of: readonly { path: string; value: unknown }[] }) {
  const pairs = of.map(
    ({ path, value }): Pair => [settingName(path), linesOf(path, value).map((line) => <p key={line}>{line}</p>)],
  );
  return <Pairs of={pairs} />;
}
