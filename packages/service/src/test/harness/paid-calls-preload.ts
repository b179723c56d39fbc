/** Preloaded into a service to replace its clearinghouse with the one in `paid-calls.ts`. */
import { registerHooks } from "node:module";

const replaced = new URL("../../providers/sandbox/clearinghouse.ts", import.meta.url).href;
const by = new URL("./paid-calls.ts", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    return resolved.url === replaced && context.parentURL !== by ? { ...resolved, url: by } : resolved;
  },
});
