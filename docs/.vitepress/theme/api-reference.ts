import { useData, withBase } from "vitepress";
import { defineComponent, h, onBeforeUnmount, onMounted, ref, watch } from "vue";
import { canTry, fetchInSandbox } from "./try.ts";

type Shown = { destroy?(): void; updateConfiguration?(settings: object): void };
declare global {
  interface Window {
    Scalar?: { createApiReference(target: HTMLElement, settings: object): Shown };
  }
}

/** The key that every sandbox with demo brands knows. */
const demoKey = "sk_sandbox_demo_api";

/** The interactive reference of one OpenAPI document. Its script is on this site, and it asks no other host. */
export const ApiReference = defineComponent({
  props: { document: { type: String, required: true } },
  setup({ document: name }) {
    const { isDark } = useData();
    const target = ref<HTMLElement>();
    let shown: Shown | undefined;
    const names = typeof MutationObserver === "undefined" ? undefined : new MutationObserver(nameFields);
    let mayTry = false;
    const settings = () => ({
      url: withBase(`/openapi/${name}.json`),
      withDefaultFonts: false,
      telemetry: false,
      customFetch: fetchInSandbox,
      hideTestRequestButton: !mayTry,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: "never",
      hideClientButton: true,
      hideDarkModeToggle: true,
      forceDarkModeState: isDark.value ? "dark" : "light",
      darkMode: isDark.value,
      defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
      documentDownloadType: "json",
      authentication: {
        preferredSecurityScheme: "apiKey",
        securitySchemes: { apiKey: { name: "Authorization", in: "header", value: demoKey } },
      },
    });
    onMounted(async () => {
      [mayTry] = await Promise.all([canTry(), loadScript(withBase("/scalar.js"))]);
      names?.observe(document.body, { childList: true, subtree: true });
      if (target.value !== undefined) shown = window.Scalar?.createApiReference(target.value, settings());
    });
    watch(isDark, () => shown?.updateConfiguration?.(settings()));
    onBeforeUnmount(() => {
      names?.disconnect();
      shown?.destroy?.();
    });
    return () => h("div", { class: "api-reference vp-raw", ref: target });
  },
});

/** Adds what screen readers miss in Scalar: the state of fields with suggestions. Its header is not the page's. */
function nameFields(): void {
  for (const header of document.querySelectorAll(".api-reference header:not([role])"))
    header.setAttribute("role", "presentation");
  for (const field of document.querySelectorAll('[role="combobox"]:not([aria-expanded])')) {
    field.setAttribute("aria-expanded", "false");
    field.setAttribute("aria-controls", field.getAttribute("aria-labelledby") ?? "");
  }
}

function loadScript(src: string): Promise<void> {
  if (window.Scalar !== undefined) return Promise.resolve();
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = src;
    script.onload = () => done();
    script.onerror = () => failed(new Error(`cannot load ${src}`));
    document.head.append(script);
  });
}
