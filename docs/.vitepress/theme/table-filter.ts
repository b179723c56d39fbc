/** A field that shows only the rows with its words, of the table that follows it. */
import { defineComponent, h, ref } from "vue";

export const TableFilter = defineComponent({
  props: { label: { type: String, required: true } },
  setup(props) {
    const place = ref<HTMLElement>();
    const found = ref("");
    const filter = (text: string) => {
      const words = text.toLowerCase().split(/\s+/);
      const table = place.value?.parentElement?.querySelector(".table-filter ~ table");
      const rows = [...(table?.querySelectorAll<HTMLElement>("tbody > tr") ?? [])];
      for (const row of rows) {
        const own = row.textContent?.toLowerCase() ?? "";
        row.hidden = !words.every((word) => own.includes(word));
      }
      found.value = text.trim() === "" ? "" : `${rows.filter((row) => !row.hidden).length} of ${rows.length}`;
    };
    return () =>
      h("div", { class: "table-filter", ref: place }, [
        h("input", {
          type: "search",
          "aria-label": props.label,
          placeholder: props.label,
          onInput: ({ target }: Event) => target instanceof HTMLInputElement && filter(target.value),
        }),
        h("span", { role: "status" }, found.value),
      ]);
  },
});
