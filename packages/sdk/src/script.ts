/** What a script tag gets, from `{walletUrl}/sdk.js`: `window.Countersign`. */
import { Countersign } from "./index.ts";

Object.assign(window, { Countersign });
