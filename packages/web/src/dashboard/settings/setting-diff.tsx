import "./setting-diff.css";
import { settingName, settingText } from "./setting-texts.ts";
import { type Difference, entryLines } from "./settings-paths.ts";
import { diffWords } from "./words-diff.ts";

const say = diffWords.diff;
/** Maximum number of lines of one setting. A list of network rules may have thousands. */
const linesMax = 40;

/** The lines that only one side has, in their order. `same`: how many lines both have. */
export type LineDiff = { from: string[]; to: string[]; same: number };

/** Compares two values of a setting line by line: a list has a line per entry, and every other value has one line. */
export function lineDiff({ path, from, to }: Difference): LineDiff {
  const [before, after] = [linesOf(path, from), linesOf(path, to)];
  const [had, has] = [new Set(before), new Set(after)];
  return {
    from: before.filter((line) => !has.has(line)),
    to: after.filter((line) => !had.has(line)),
    same: before.filter((line) => has.has(line)).length,
  };
}

export function linesOf(path: string, value: unknown): string[] {
  const entries = entryLines(value);
  if (entries.length > 0) return entries;
  if (Array.isArray(value) && value.length > 0) return value.map((one) => settingText(path, [one]));
  return [settingText(path, value)];
}

/** What changes in each setting: the lines that go and the lines that come. */
export function SettingChanges({ of }: { of: readonly Difference[] }) {
  return (
    <dl class="setting-changes">
      {of.map((difference) => {
        const { from, to, same } = lineDiff(difference);
        const isReordered = from.length + to.length === 0;
        return (
          <div key={difference.path}>
            <dt>{settingName(difference.path)}</dt>
            <dd>
              {from.slice(0, linesMax).map((line) => (
                <del key={line}>
                  <span class="hidden">{say.before} </span>
                  {line}
                </del>
              ))}
              {to.slice(0, linesMax).map((line) => (
                <ins key={line}>
                  <span class="hidden">{say.after} </span>
                  {line}
                </ins>
              ))}
              {isReordered ? <span class="quiet">{say.inDetails}</span> : null}
              {same === 0 || isReordered ? null : <span class="quiet">{say.same(same)}</span>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
