/** Entry point of `{walletUrl}/sdk.js`. Defines `window.Countersign` for pages that use a script tag. */
import { Countersign } from "./index.ts";

Object.assign(window, { Countersign });
