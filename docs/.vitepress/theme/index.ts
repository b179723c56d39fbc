import { onContentUpdated, type Theme, useData } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h, nextTick, onBeforeUnmount, onMounted, watch } from "vue";
import { ApiReference } from "./api-reference.ts";
import { MarkdownLink } from "./markdown-link.ts";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "doc-footer-before": () => h(MarkdownLink) }),
  setup() {
    markMain();
    reachWideTables();
  },
  enhanceApp: ({ app }) => {
    app.component("ApiReference", ApiReference);
  },
} satisfies Theme;

/** VitePress marks the main part of its pages, except of the home page. */
function markMain(): void {
  const { frontmatter } = useData();
  const isHome = () => frontmatter.value.layout === "home";
  const setRole = () => {
    const content = document.getElementById("VPContent");
    if (isHome()) content?.setAttribute("role", "main");
    else content?.removeAttribute("role");
  };
  onMounted(setRole);
  watch(isHome, () => nextTick(setRole));
}

/** A table that is wider than the page scrolls, so the keyboard must reach it. */
function reachWideTables(): void {
  const reach = () => {
    for (const table of document.querySelectorAll<HTMLElement>(".vp-doc table"))
      if (table.scrollWidth > table.clientWidth) table.tabIndex = 0;
      else table.removeAttribute("tabindex");
  };
  onContentUpdated(reach);
  onMounted(() => addEventListener("resize", reach));
  onBeforeUnmount(() => removeEventListener("resize", reach));
}
