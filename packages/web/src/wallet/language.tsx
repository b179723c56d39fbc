import { type ComponentChildren, createContext } from "preact";
import { useContext, useState } from "preact/hooks";
import { tabStore } from "./tab-store.ts";
import { en, type Words } from "./words-en.ts";
import { es } from "./words-es.ts";

type Language = {
  words: Words;
  /** Switches to the language that the person chose, and remembers it in this tab. */
  switchTo(code: string): void;
  /** Uses the language of the brand's page, unless the person has chosen one. Unsupported languages are ignored. */
  follow(locale: string): void;
};
const stored = "language";
const Current = createContext<Language>({ words: en, switchTo: () => undefined, follow: () => undefined });

/**
 * Provides the words in the current language. The server chooses it by `Accept-Language`, and the person can switch.
 */
export function LanguageProvider({ children }: { children: ComponentChildren }) {
  const [code, setCode] = useState(() => setPageLanguage(tabStore.get(stored) ?? document.documentElement.lang));
  const switchTo = (next: string) => {
    tabStore.set(stored, next);
    setCode(setPageLanguage(next));
  };
  const follow = (locale: string) => {
    const [language = ""] = locale.toLowerCase().split("-");
    if (tabStore.get(stored) === null && ["en", "es"].includes(language)) setCode(setPageLanguage(language));
  };
  return <Current.Provider value={{ words: code === "es" ? es : en, switchTo, follow }}>{children}</Current.Provider>;
}

function setPageLanguage(code: string): string {
  document.documentElement.lang = code;
  return code;
}

export function useLanguage(): Language {
  return useContext(Current);
}

/** The text next to an input after a failed call that can be repeated. */
export function inlineTrouble(words: Words, code: string): string {
  if (code === "LOST") return words.lostInline;
  return code === "BUSY" ? words.busyInline : words.brokenInline;
}

/** The text next to a button after a failed call, on a screen without inputs. */
export function actionTrouble(words: Words, code: string): string {
  if (code === "LOST") return words.lostAction;
  return code === "BUSY" ? words.busyInline : words.brokenAction;
}
