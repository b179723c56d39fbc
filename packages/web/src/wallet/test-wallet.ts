/** The sandbox's test wallet: a window of this site that holds IDs of test people. Only pages of the sandbox name it. */
import type { Answer } from "./api.ts";

/** What a wallet app answers. Null: the person chose nothing, or there is no such app. */
export type WalletAnswer = Answer<"askStateId">["requests"][number] | null;

/** The path of the test wallet. Undefined outside the sandbox. */
export function testWallet(): string | undefined {
  return document.documentElement.dataset.testWallet;
}

/** How often to look whether the person has closed the window, in milliseconds. */
const closedEveryMs = 500;

/** Opens the test wallet. `answerTo` sends it the requests, and waits for its answer or its end. */
export function fromTestWallet(): { answerTo(requests: unknown): Promise<WalletAnswer>; close(): void } {
  const opened = window.open(testWallet(), "countersign-test-wallet", "popup,width=420,height=760");
  const isReady = new Promise<void>((resolve) => listen(opened, "ready", () => resolve()));
  const answerTo = (requests: unknown) =>
    new Promise<WalletAnswer>((resolve) => {
      listen(opened, "answer", ({ answer }) => resolve(answer ?? null));
      void isReady.then(() => opened?.postMessage({ type: "requests", requests }, window.location.origin));
      const timer = window.setInterval(() => {
        if (opened !== null && !opened.closed) return;
        window.clearInterval(timer);
        resolve(null);
      }, closedEveryMs);
    });
  return { answerTo, close: () => opened?.close() };
}

type Message = { type: string; answer?: WalletAnswer };

/** Listens for the window's first message of a type. */
function listen(from: Window | null, type: string, then: (message: Message) => void): void {
  const hear = ({ source, origin, data }: MessageEvent<Message>) => {
    if (source !== from || origin !== window.location.origin || data.type !== type) return;
    window.removeEventListener("message", hear);
    then(data);
  };
  window.addEventListener("message", hear);
}
