import type { IntegrationType } from "@countersign/contract/brand";
import { api } from "../api.ts";
import { keptKey } from "../brand/keys-in-memory.ts";
import { CopyBlock } from "../controls/copy.tsx";
import { useLoad } from "../frame/page.tsx";
import { firstCall } from "../start/start-snippets.ts";
import { startWords } from "../start/words-start.ts";

type Props = {
  params: { brand: string; environment: "sandbox" | "production" };
  type: IntegrationType;
  apiUrl: string;
};

/** A first call to paste, if a key and a test person are known. */
export function FirstCall({ params, type, apiUrl }: Props) {
  const { state } = useLoad(() => api.readStart({ params }), [params.brand, params.environment]);
  if (state.kind !== "ok") return null;
  const [person] = state.value.testPeople;
  const apiKey = state.value.demoKey ?? keptKey(params.brand, params.environment);
  if (person === undefined || apiKey === null) return null;
  const text = firstCall(type, { apiUrl, walletUrl: "", apiKey, phone: person.phone, code: person.code });
  return <CopyBlock title={startWords.call.paste} language="sh" text={text} />;
}
