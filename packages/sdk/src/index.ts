import { frameAddress, readWalletUrl } from "./address.ts";
import { type Channel, openChannel } from "./channel.ts";
import { schemeOf } from "./color-scheme.ts";
import { tell } from "./errors.ts";
import { type FocusMemory, giveBack, isInFrame, mayEnter, rememberFocus } from "./focus.ts";
import { type Frame, mountFrame } from "./frame.ts";
import type { FrameMessage, SdkError, SdkErrorReason, SdkEvent, SdkResult } from "./messages.ts";

export type { SdkError, SdkErrorReason, SdkEvent, SdkResult, SdkResultType, SdkStep } from "./messages.ts";

/** Options of a `Countersign`. */
export type CountersignOptions = {
  /** From your server: `POST /client/1-click` with your API key. It opens one session, once, within 60 minutes. */
  sessionKey: string;
  /** The wallet URL of your environment, such as `https://wallet.example`. */
  walletUrl: string;
  /** Light or dark. Default: dark if your page's `color-scheme` allows it and the device prefers it. */
  colorScheme?: "light" | "dark";
  /** Receives the final result. Called at most once. */
  onResult: (result: SdkResult) => void;
  /** Receives errors. May be called before the constructor returns and more than once, but never after the result. */
  onError: (error: SdkError) => void;
  /** Receives progress events for your analytics. */
  onEvent?: (event: SdkEvent) => void;
};

/**
 * The wallet in a frame on your page. The person proves their phone and shares data; you get the UUID of the shared
 * data.
 *
 * ```ts
 * const sdk = new Countersign({
 *   sessionKey, // from your server
 *   walletUrl: "https://wallet.example",
 *   onResult: ({ type, identityUuid }) =>
 *     type.startsWith("USER_SHARED") || type === "NO_INSURANCE_FOUND" ? send(identityUuid) : showOwnForm(),
 *   onError: ({ reason }) => showOwnForm(),
 * });
 * sdk.show(document.querySelector("#signup"));
 * ```
 *
 * One instance shows one session, once. For another session, create another instance with a new key. The constructor
 * does not use `window`, so it also runs on a server. No method throws; errors go to `onError`.
 */
export class Countersign {
  readonly #options: CountersignOptions;
  readonly #wallet: URL | undefined;
  #state: "new" | "shown" | "over" = "new";
  #resultTold = false;
  #frame: Frame | undefined;
  #channel: Channel | undefined;
  #focus: FocusMemory | undefined;

  /** Reports an empty key as `INVALID_SESSION_KEY` and an invalid URL as `UNREACHABLE`. Then `show` does nothing. */
  constructor(options: CountersignOptions) {
    this.#options = options;
    this.#wallet = readWalletUrl(options.walletUrl);
    const { sessionKey } = options;
    if (typeof sessionKey !== "string" || sessionKey.trim() === "") this.#refuse("INVALID_SESSION_KEY");
    else if (this.#wallet === undefined) this.#refuse("UNREACHABLE");
  }

  /**
   * Adds the frame to an element, or to the end of the page. Does nothing after an earlier `show`, after `destroy`, or
   * without a document. Within ten seconds, `onEvent` gets `SDK_READY` or `onError` gets `UNREACHABLE`.
   *
   * @param element the container; the frame is as wide as it, up to 440 px, and as high as its content
   */
  show(element?: Element | null): void {
    if (this.#state !== "new" || this.#wallet === undefined || typeof document === "undefined") return;
    this.#state = "shown";
    this.#focus = rememberFocus();
    this.#frame = mountFrame(element ?? document.body ?? document.documentElement);
    this.#load(this.#frame, this.#wallet);
  }

  /** Removes the frame and stops all callbacks. May be called at any time and more than once. */
  destroy(): void {
    this.#state = "over";
    this.#channel?.close();
    const losesFocus = this.#frame !== undefined && isInFrame(this.#frame.iframe);
    this.#frame?.remove();
    if (this.#focus !== undefined && losesFocus) giveBack(this.#focus);
    this.#frame = undefined;
  }

  #load(frame: Frame, wallet: URL): void {
    const { sessionKey } = this.#options;
    frameAddress(wallet, sessionKey).then(
      (address) => {
        if (this.#frame !== frame) return; // destroyed meanwhile
        frame.load(address);
        this.#channel = openChannel({
          iframe: frame.iframe,
          origin: wallet.origin,
          sessionKey,
          colorScheme: this.#options.colorScheme ?? schemeOf(frame.iframe),
          onMessage: (message) => this.#hear(frame, message),
          onLost: (reason) => this.#fail(reason),
        });
      },
      () => this.#fail("UNREACHABLE"),
    );
  }

  #hear(frame: Frame, message: FrameMessage): void {
    if (this.#state !== "shown") return;
    switch (message.type) {
      case "ready":
        frame.resize(message.height);
        frame.show();
        this.#enter(frame);
        break;
      case "resize":
        frame.resize(message.height);
        break;
      case "event":
        tell(this.#options.onEvent, message.event);
        break;
      case "result":
        if (this.#resultTold) break;
        this.#resultTold = true;
        tell(this.#options.onResult, message.result);
        break;
      case "error":
        this.#fail(message.reason);
    }
  }

  #enter(frame: Frame): void {
    if (this.#focus === undefined || !mayEnter(this.#focus)) return;
    frame.iframe.focus({ preventScroll: true });
    this.#channel?.focus();
  }

  #fail(reason: SdkErrorReason): void {
    if (this.#state !== "shown" || this.#resultTold) return;
    this.#frame?.stopWaiting();
    tell(this.#options.onError, { reason });
  }

  #refuse(reason: SdkErrorReason): void {
    this.#state = "over";
    tell(this.#options.onError, { reason });
  }
}
