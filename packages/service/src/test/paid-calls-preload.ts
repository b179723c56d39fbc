/** Loaded into a service before its own files: the clearinghouse that it puts in is `paid-calls.ts`'s. */
import { registerHooks } from "node:module";

const replaced = new URL("../providers/sandbox/clearinghouse.ts", import.meta.url).href;
const by = new URL("./paid-calls.ts", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    return resolved.url === replaced && context.parentURL !== by ? { ...resolved, url: by } : resolved;
  },
});
