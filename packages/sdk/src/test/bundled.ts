import { join } from "node:path";
import { build } from "vite";
import { root } from "./samples.ts";

const sdk = join(root, "packages/sdk/src");

/** Bundles a file on the disk or one of `files` into a script for a browser. `files` import each other by name. */
export async function bundled(input: string, files: Record<string, string> = {}): Promise<string> {
  const nameOf = (id: string) => /^\0(\w+)\.tsx$/.exec(id)?.[1] ?? "";
  const made = await build({
    configFile: false,
    logLevel: "error",
    root: sdk,
    mode: "development",
    define: {
      "process.env.NODE_ENV": '"development"',
      __VUE_OPTIONS_API__: "false",
      __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
    },
    resolve: {
      alias: { "@countersign/sdk/react": join(sdk, "react.ts"), "@countersign/sdk": join(sdk, "index.ts") },
    },
    plugins: [
      {
        name: "files",
        enforce: "pre",
        resolveId: (id) => (id in files ? `\0${id}.tsx` : undefined),
        load: (id) => files[nameOf(id)],
      },
    ],
    build: { write: false, minify: false, rollupOptions: { input } },
  });
  const [only] = Array.isArray(made) ? made : [made];
  const chunks = only !== undefined && "output" in only ? only.output : [];
  return chunks.map((chunk) => (chunk.type === "chunk" ? chunk.code : "")).join("");
}
