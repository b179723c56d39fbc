import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { h } from "vue";
import { ApiReference } from "./api-reference.ts";
import { MarkdownLink } from "./markdown-link.ts";
import "./style.css";

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "aside-outline-after": () => h(MarkdownLink) }),
  enhanceApp: ({ app }) => {
    app.component("ApiReference", ApiReference);
  },
} satisfies Theme;
