import { type ComponentChildren, createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { tabStore } from "./tab-store.ts";
import { en, type Words } from "./words-en.ts";
import { es } from "./words-es.ts";

type Language = { words: Words; switchTo(code: string): void };
const stored = "language";
const Current = createContext<Language>({ words: en, switchTo: () => undefined });

/** Provides the words in the person's language. The server chooses it by `Accept-Language`; the person can switch. */
export function LanguageProvider({ children }: { children: ComponentChildren }) {
  const [code, setCode] = useState(() => {
    const chosen = tabStore.get(stored) ?? document.documentElement.lang;
    document.documentElement.lang = chosen;
    return chosen;
  });
  const switchTo = (next: string) => {
    tabStore.set(stored, next);
    document.documentElement.lang = next;
    setCode(next);
  };
  return <Current.Provider value={{ words: code === "es" ? es : en, switchTo }}>{children}</Current.Provider>;
}

export function useLanguage(): Language {
  return useContext(Current);
}

/** The text next to a control after a call that failed and can be repeated. */
export function inlineTrouble(words: Words, code: string): string {
  if (code === "LOST") return words.lostInline;
  return code === "BUSY" ? words.busyInline : words.brokenInline;
}
