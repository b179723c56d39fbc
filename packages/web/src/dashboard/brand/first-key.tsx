import { ShownOnce } from "../controls/copy.tsx";
import { go } from "../frame/navigation.tsx";
import { words } from "../words.ts";
import { keepKey } from "./keys-in-memory.ts";

export type Made = { uuid: string; apiKey: string };

/** Shows the key of a new brand, then leads to the brand's first steps. */
export function FirstKey({ uuid, apiKey }: Made) {
  const proceed = () => {
    keepKey(uuid, "sandbox", apiKey);
    go(`/brands/${uuid}/sandbox/start`);
  };
  return <ShownOnce title={words.brands.keyTitle} secret={apiKey} onClose={proceed} />;
}
