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
const sandboxUrl = "http://localhost:4000";

/** The interactive reference of one OpenAPI document. Its script is on this site, and it asks no other host. */
export const ApiReference = defineComponent({
  props: { document: { type: String, required: true } },
  setup({ document: name }) {
    const { isDark } = useData();
    const target = ref<HTMLElement>();
    let shown: Shown | undefined;
    const names = typeof MutationObserver === "undefined" ? undefined : new MutationObserver(nameFields);
    let mayTry = false;
    let source: { url: string } | { content: object } = { url: withBase(`/openapi/${name}.json`) };
    const path = name === "v1" ? "/1-click" : "/v2/1-click";
    const firstCall = `curl -s ${sandboxUrl}${path} -H 'Authorization: ${demoKey}' \\\n  -H 'Content-Type: application/json' -d '{"phone":"+12125550010"}'`;
    const settings = () => ({
      ...source,
      withDefaultFonts: false,
      telemetry: false,
      customFetch: fetchInSandbox,
      hideTestRequestButton: !mayTry,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: "never",
      hideClientButton: true,
      // The search of the site finds the operations, too.
      hideSearch: true,
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
      const filled = filledIn(withBase(`/openapi/${name}.json`));
      [mayTry] = await Promise.all([canTry(), loadScript(withBase("/scalar.js"))]);
      source = (await filled) ?? source;
      names?.observe(document.body, { childList: true, subtree: true });
      if (target.value !== undefined) shown = window.Scalar?.createApiReference(target.value, settings());
    });
    watch(isDark, () => shown?.updateConfiguration?.(settings()));
    onBeforeUnmount(() => {
      names?.disconnect();
      shown?.destroy?.();
    });
    return () => [
      h("section", { "aria-label": "Before the first call" }, [
        h("dl", { class: "api-start vp-raw" }, [
          h("div", [h("dt", "Base URL"), h("dd", h("code", sandboxUrl))]),
          h("div", [h("dt", "Key of the sandbox"), h("dd", h("code", `Authorization: ${demoKey}`))]),
          h("div", [h("dt", "First call"), h("dd", h("pre", { tabindex: 0 }, firstCall))]),
        ]),
      ]),
      h("div", { class: "api-reference vp-raw", ref: target }),
    ];
  },
});

type Parameter = { in?: string; example?: string; schema?: object };
type Shapes = { paths: Record<string, Record<string, { parameters?: Parameter[] }>> };

/**
 * The document with the id that the address names, such as `?subject=…`, in each path that has one parameter. The
 * dashboard links here so. Null without an id.
 */
async function filledIn(url: string): Promise<{ content: object } | null> {
  const subject = new URLSearchParams(window.location.search).get("subject") ?? "";
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(subject)) return null;
  const answer = await fetch(url).catch(() => null);
  if (answer === null || !answer.ok) return null;
  const content: Shapes = await answer.json();
  for (const operation of Object.values(content.paths).flatMap((methods) => Object.values(methods))) {
    const named = operation.parameters?.filter((one) => one.in === "path") ?? [];
    const [only] = named;
    if (named.length === 1 && only !== undefined) only.example = subject;
  }
  return { content };
}

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
