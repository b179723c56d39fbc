import { useData, withBase } from "vitepress";
import { defineComponent, h } from "vue";

/** A link to the page's Markdown, for copying it or giving it to an assistant. */
export const MarkdownLink = defineComponent({
  setup() {
    const { page } = useData();
    return () =>
      h("p", { class: "markdown-link" }, [
        h("a", { href: withBase(`/${page.value.relativePath}`), target: "_self" }, "This page as Markdown"),
      ]);
  },
});
