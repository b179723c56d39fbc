/** The language that a reader chooses in one group of code holds for every group, on every page. */
import { onContentUpdated } from "vitepress";
import { onBeforeUnmount, onMounted } from "vue";

const stored = "countersign-language";

export function keepLanguage(): void {
  const follow = () => {
    const wanted = read();
    if (wanted !== null) for (const group of document.querySelectorAll(".languages")) show(group, wanted);
  };
  const onChange = ({ target }: Event) => {
    if (!(target instanceof HTMLInputElement) || target.closest(".languages") === null) return;
    const wanted = target.nextElementSibling?.getAttribute("data-title");
    if (wanted === null || wanted === undefined) return;
    const top = target.getBoundingClientRect().top;
    write(wanted);
    follow();
    // Groups above may be higher now.
    window.scrollBy(0, target.getBoundingClientRect().top - top);
  };
  onMounted(() => {
    document.addEventListener("change", onChange);
    follow();
  });
  onContentUpdated(follow);
  onBeforeUnmount(() => document.removeEventListener("change", onChange));
}

function show(group: Element, wanted: string): void {
  const labels = [...group.querySelectorAll<HTMLLabelElement>(".tabs > label")];
  const at = labels.findIndex((label) => label.dataset.title === wanted);
  if (at === -1) return;
  const input = group.querySelectorAll<HTMLInputElement>(".tabs > input")[at];
  if (input !== undefined) input.checked = true;
  const blocks = group.querySelectorAll('.blocks > [class*="language-"]');
  for (const [place, block] of [...blocks].entries()) block.classList.toggle("active", place === at);
}

/** Null in a browser that blocks storage. */
function read(): string | null {
  try {
    return localStorage.getItem(stored);
  } catch {
    return null;
  }
}

function write(wanted: string): void {
  try {
    localStorage.setItem(stored, wanted);
  } catch {
    // The choice then holds for this page only.
  }
}
