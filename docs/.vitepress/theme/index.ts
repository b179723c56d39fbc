import { onContentUpdated, type Theme, useData } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h, nextTick, onBeforeUnmount, onMounted, watch } from "vue";
import { ApiReference } from "./api-reference.ts";
import { FlowChooser } from "./flow-chooser.ts";
import { FlowWalk } from "./flow-walk.ts";
import { HomeStage, HomeStart } from "./home.ts";
import { keepLanguage } from "./language-tabs.ts";
import { MarkdownLink } from "./markdown-link.ts";
import { NotFound } from "./not-found.ts";
import { addRunButtons } from "./run-buttons.ts";
import { helpSearch } from "./search-help.ts";
import { SectionLinks } from "./section-links.ts";
import { TableFilter } from "./table-filter.ts";
import "./style.css";
import "./parts.css";

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      "home-hero-actions-after": () => h(HomeStart),
      "home-hero-after": () => h(HomeStage),
      "doc-footer-before": () => h(MarkdownLink),
      "not-found": () => h(NotFound),
      "nav-screen-content-before": () => h(SectionLinks),
    }),
  setup() {
    markMain();
    reachWide();
    addRunButtons();
    keepLanguage();
    helpSearch();
  },
  enhanceApp: ({ app }) => {
    app.component("ApiReference", ApiReference);
    app.component("FlowChooser", FlowChooser);
    app.component("FlowWalk", FlowWalk);
    app.component("TableFilter", TableFilter);
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

/** A table or diagram that is wider than the page scrolls, so the keyboard must reach it. */
function reachWide(): void {
  const reach = () => {
    for (const element of document.querySelectorAll<HTMLElement>(".vp-doc :is(table, .diagram)"))
      if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
      else element.removeAttribute("tabindex");
  };
  onContentUpdated(reach);
  onMounted(() => addEventListener("resize", reach));
  onBeforeUnmount(() => removeEventListener("resize", reach));
}
