import { type Theme, useData } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h, nextTick, onMounted, watch } from "vue";
import { ApiReference } from "./api-reference.ts";
import { MarkdownLink } from "./markdown-link.ts";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "doc-footer-before": () => h(MarkdownLink) }),
  setup: markMain,
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
