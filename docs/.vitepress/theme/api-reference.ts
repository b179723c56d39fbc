import { useData, withBase } from "vitepress";
import { defineComponent, h, onBeforeUnmount, onMounted, ref, watch } from "vue";

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
    let canTry = false;
    const settings = () => ({
      url: withBase(`/openapi/${name}.json`),
      withDefaultFonts: false,
      telemetry: false,
      customFetch: fetchInSandbox,
      hideTestRequestButton: !canTry,
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
      const [answer] = await Promise.all([fetch(tryPath()), loadScript(withBase("/scalar.js"))]);
      canTry = answer.status === 204;
      if (target.value !== undefined) shown = window.Scalar?.createApiReference(target.value, settings());
    });
    watch(isDark, () => shown?.updateConfiguration?.(settings()));
    onBeforeUnmount(() => shown?.destroy?.());
    return () => h("div", { class: "api-reference vp-raw", ref: target });
  },
});

const tryPath = () => withBase("/try");

/** Sends the calls that a reader tries to the path that knows the demo keys. The API refuses keys from browsers. */
async function fetchInSandbox(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { origin, pathname, search } = new URL(request.url);
  if (origin !== location.origin || pathname.startsWith(withBase("/"))) return await fetch(request);
  const headers = new Headers(request.headers);
  headers.set("x-demo-key", (headers.get("authorization") ?? "").replace(/^bearer /i, ""));
  headers.delete("authorization");
  const body = request.method === "GET" ? null : await request.arrayBuffer();
  return await fetch(`${tryPath()}${pathname}${search}`, { method: request.method, headers, body });
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
