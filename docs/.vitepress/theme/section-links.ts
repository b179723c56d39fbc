import { useData, useRoute, withBase } from "vitepress";
import { computed, defineComponent, h } from "vue";

type Group = { text: string; items: { text: string; link: string }[] };

/** The pages of every section, in the phone's menu. The section of the current page is open. */
export const SectionLinks = defineComponent({
  setup() {
    const { theme } = useData();
    const route = useRoute();
    const groups = computed<Group[]>(() => {
      const sidebar: Record<string, Group[]> = theme.value.sidebar;
      const parts = Object.entries(sidebar).flatMap(([part, own]) => (part === "/" ? [] : own));
      return [...new Map(parts.map((group) => [group.text, group])).values()];
    });
    const isHere = (link: string) => route.path.replace(/\.html$/, "") === withBase(link);
    const linkTo = ({ text, link }: Group["items"][number]) =>
      h("a", { href: withBase(link), "aria-current": isHere(link) ? "page" : undefined }, text);
    return () =>
      h(
        "nav",
        { class: "section-links", "aria-label": "Pages" },
        groups.value.map(({ text, items }) => {
          const [only] = items;
          if (items.length === 1 && only !== undefined) return linkTo({ ...only, text });
          return h("details", { key: text, open: items.some(({ link }) => isHere(link)) }, [
            h("summary", text),
            h(
              "ul",
              items.map((item) => h("li", linkTo(item))),
            ),
          ]);
        }),
      );
  },
});
