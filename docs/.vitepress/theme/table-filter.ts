/** A field that shows only the rows with its words, of the tables that follow it. */
import { defineComponent, h, onMounted, ref } from "vue";

export const TableFilter = defineComponent({
  props: {
    label: { type: String, required: true },
    /** Whether it filters every table that follows, and not only the first. */
    all: Boolean,
    /** Whether each row gets a button that copies its first cell. */
    copies: Boolean,
  },
  setup(props) {
    const place = ref<HTMLElement>();
    const found = ref("");
    const isEmpty = ref(false);
    const tables = () => {
      const after = [...(place.value?.parentElement?.querySelectorAll<HTMLElement>(".table-filter ~ table") ?? [])];
      return props.all ? after : after.slice(0, 1);
    };
    const rowsOf = (table: HTMLElement) => [...table.querySelectorAll<HTMLElement>("tbody > tr")];
    const filter = (text: string) => {
      const words = text.toLowerCase().split(/\s+/);
      for (const table of tables()) {
        for (const row of rowsOf(table)) {
          const own = row.textContent?.toLowerCase() ?? "";
          row.hidden = !words.every((word) => own.includes(word));
        }
        table.hidden = rowsOf(table).every((row) => row.hidden);
      }
      const rows = tables().flatMap(rowsOf);
      const shown = rows.filter((row) => !row.hidden).length;
      isEmpty.value = shown === 0;
      found.value = text.trim() === "" || shown === 0 ? "" : `${shown} of ${rows.length}`;
    };
    onMounted(() => {
      if (props.copies) for (const row of tables().flatMap(rowsOf)) addCopy(row);
    });
    return () =>
      h("div", { class: "table-filter", ref: place }, [
        h("input", {
          type: "search",
          "aria-label": props.label,
          placeholder: props.label,
          onInput: ({ target }: Event) => target instanceof HTMLInputElement && filter(target.value),
        }),
        h("span", { role: "status" }, [
          found.value,
          isEmpty.value
            ? ["Nothing found here. ", h("button", { type: "button", onClick: openSearch }, "Search all pages")]
            : null,
        ]),
      ]);
  },
});

/** Opens the search of the site. */
function openSearch(): void {
  document.querySelector<HTMLElement>(".VPNavBarSearch button")?.click();
}

/** Adds a button that copies a row's phone. Cells of other tables have no phone. */
function addCopy(row: HTMLElement): void {
  const code = row.querySelector<HTMLElement>("td:first-child code");
  const text = code?.textContent ?? "";
  if (code === null || !/^\+1\d{10}$/.test(text)) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-cell";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy ${text}`);
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  });
  code.after(button);
}
