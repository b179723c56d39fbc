/** Adds a button to each block that can run against this machine's sandbox. The answer appears below the block. */
import { onContentUpdated } from "vitepress";
import { onMounted } from "vue";
import { type Call, runBlock, runnableBlocks, type Variables, variablesOf } from "./shell.ts";
import { canTry, tryCall } from "./try.ts";

type Runnable = NonNullable<Awaited<ReturnType<typeof runnableBlocks>>[number]> & { element: HTMLElement };
/** The blocks of a page, and the values of their variables. */
type Page = { blocks: Runnable[]; variables: Variables; done: Set<Runnable> };
type Answer = { status: string; isGood: boolean; durationMs: number };

export function addRunButtons(): void {
  const add = async () => {
    const elements = [...document.querySelectorAll<HTMLElement>(".vp-doc div.language-sh")];
    // A page can be announced twice.
    if (elements.every((element) => element.dataset.run !== undefined)) return;
    for (const element of elements) element.dataset.run = "";
    if (!(await canTry())) return;
    const sources = elements.map((element) => element.querySelector("code")?.textContent ?? "");
    const runnable = await runnableBlocks(sources, isApi);
    const page: Page = { blocks: [], variables: new Map(), done: new Set() };
    for (const [at, element] of elements.entries()) {
      const block = runnable[at];
      if (block === null || block === undefined) continue;
      const one = { ...block, element };
      page.blocks.push(one);
      if (one.hasCalls) addButton(page, one);
    }
  };
  onMounted(add);
  onContentUpdated(add);
}

/** The documents are served by the API itself. */
function isApi(url: string): boolean {
  return new URL(url).host === location.host;
}

function addButton(page: Page, block: Runnable): void {
  const button = document.createElement("button");
  button.className = "run";
  button.type = "button";
  button.textContent = "Run";
  button.setAttribute("aria-label", "Run this block in the sandbox");
  const answer = document.createElement("div");
  answer.className = "answer";
  answer.setAttribute("role", "status");
  block.element.append(button);
  block.element.after(answer);
  button.addEventListener("click", async () => {
    button.disabled = true;
    button.textContent = "Running…";
    await runWithEarlier(page, block);
    button.disabled = false;
    button.textContent = "Run again";
  });
}

/** Runs a block, after the earlier blocks that set what it reads. */
async function runWithEarlier(page: Page, block: Runnable): Promise<void> {
  const at = page.blocks.indexOf(block);
  for (const name of variablesOf(block.commands).read) {
    if (page.variables.has(name)) continue;
    const earlier = page.blocks.slice(0, at).findLast((one) => variablesOf(one.commands).set.has(name));
    if (earlier !== undefined && !page.done.has(earlier)) await runWithEarlier(page, earlier);
  }
  await run(page, block);
}

async function run(page: Page, block: Runnable): Promise<void> {
  page.done.add(block);
  const unset = [...variablesOf(block.commands).read].filter((name) => !page.variables.has(name));
  let last: Answer | undefined;
  const send = async (call: Call) => {
    const { text, ...answer } = await tryCall(call);
    last = answer;
    return text;
  };
  const place = block.element.nextElementSibling;
  try {
    const printed = await runBlock(block.commands, page.variables, send);
    if (block.hasCalls && place !== null) show(place, last, printed.trim());
  } catch {
    if (place !== null) show(place, undefined, "The sandbox cannot be reached. Is it still running?");
  }
  if (unset.length > 0 && place !== null) note(place, `$${unset.join(", $")} comes from a step that you do yourself.`);
}

function show(place: Element, answer: Answer | undefined, printed: string): void {
  const status = document.createElement("p");
  status.className = answer?.isGood === true ? "status good" : "status bad";
  status.textContent = answer === undefined ? "No answer" : `${answer.status} · ${answer.durationMs} ms`;
  const body = document.createElement("pre");
  body.className = "body";
  body.tabIndex = 0;
  body.append(...linked(formatted(printed)));
  place.replaceChildren(status, ...(printed === "" ? [] : [body]));
}

function note(place: Element, text: string): void {
  const paragraph = document.createElement("p");
  paragraph.textContent = text;
  place.append(paragraph);
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The text, with its addresses as links. */
function linked(text: string): (string | HTMLElement)[] {
  return text.split(/(https?:\/\/[^\s"\\]+)/).map((part, at) => {
    if (at % 2 === 0) return part;
    const link = document.createElement("a");
    link.href = part;
    link.target = "_blank";
    link.rel = "noreferrer";
    link.textContent = part;
    return link;
  });
}
