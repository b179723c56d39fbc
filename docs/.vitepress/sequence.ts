/** A step of a sequence diagram. `from` and `to` are places in the list of actors. `details`: what is sent, if it is said. */
export type Step = { from: number; to: number; text: string; isAnswer: boolean; details: string };
export type Sequence = { actors: string[]; steps: Step[] };

const participant = /^participant (\w+)(?: as (.+))?$/;
const message = /^(\w+)(-->>|->>)(\w+): (.+)$/;
/** Mermaid ignores these lines, so other readers of the page still draw it. */
const detail = /^%% ?(.*)$/;

/** Reads a Mermaid sequence diagram. Comments below a message are its details. Throws if it uses anything else. */
export function readSequence(source: string): Sequence {
  const ids: string[] = [];
  const actors: string[] = [];
  const steps: Step[] = [];
  for (const line of source
    .trim()
    .split("\n")
    .slice(1)
    .map((one) => one.trim())) {
    const [, id, name] = participant.exec(line) ?? [];
    const [, from = "", arrow, to = "", text = ""] = message.exec(line) ?? [];
    const [, more] = detail.exec(line) ?? [];
    const last = steps.at(-1);
    if (id !== undefined) {
      ids.push(id);
      actors.push(name ?? id);
    } else if (arrow !== undefined && ids.includes(from) && ids.includes(to))
      steps.push({ from: ids.indexOf(from), to: ids.indexOf(to), text, isAnswer: arrow === "-->>", details: "" });
    else if (more !== undefined && last !== undefined) last.details += last.details === "" ? more : `\n${more}`;
    else throw new Error(`a sequence diagram has a line that the site does not draw: ${line}`);
  }
  return { actors, steps };
}
