import { useData, useRoute, withBase } from "vitepress";
import { computed, defineComponent, h } from "vue";

type Group = { text: string; items: { text: string; link: string }[] };

/** The pages of the current part, in the phone's menu, so that the site has one menu and not two. */
export const SectionLinks = defineComponent({
  setup() {
    const { theme } = useData();
    const route = useRoute();
    const groups = computed<Group[]>(() => {
      const sidebar: Record<string, Group[]> = theme.value.sidebar;
      const part = Object.keys(sidebar).find((one) => one !== "/" && route.path.startsWith(withBase(one)));
      return sidebar[part ?? "/"] ?? [];
    });
    return () =>
      h(
        "nav",
        { class: "section-links", "aria-label": "Pages" },
        groups.value.map(({ text, items }) =>
          h("section", { key: text }, [
            h("h2", text),
            h(
              "ul",
              items.map(({ text: title, link }) => {
                const href = withBase(link);
                const isCurrent = route.path.replace(/\.html$/, "") === href;
                return h("li", h("a", { href, "aria-current": isCurrent ? "page" : undefined }, title));
              }),
            ),
          ]),
        ),
      );
  },
});
