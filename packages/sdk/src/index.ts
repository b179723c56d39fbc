import { frameAddress, readWalletUrl } from "./address.ts";
import { type Channel, openChannel } from "./channel.ts";
import { schemeOf } from "./color-scheme.ts";
import { callSafely } from "./errors.ts";
import { type FocusMemory, isInFrame, mayEnter, rememberFocus, restoreFocus } from "./focus.ts";
import { type Frame, mountFrame } from "./frame.ts";
import { errorMessages, type FrameMessage, type SdkError, type SdkEvent, type SdkResult } from "./messages.ts";
import { fixOf, placeOf } from "./usage.ts";

export type { SdkError, SdkErrorReason, SdkEvent, SdkResult, SdkResultType, SdkStep } from "./messages.ts";

/** Options of a `Countersign`. */
export type CountersignOptions = {
  /** From your server: `POST /client/1-click` with your API key. It opens one session, once, within 60 minutes. */
  sessionKey: string;
  /** The wallet URL of your environment, such as `https://wallet.example`. */
  walletUrl: string;
  /** Light or dark. Default: dark if your page's `color-scheme` allows it and the device prefers it. */
  colorScheme?: "light" | "dark";
  /** The language, such as `en` or `es-US`. Default: the browser's. The wallet speaks English and Spanish. */
  locale?: string;
  /** Receives the final result. Called at most once; no other callback follows. */
  onResult: (result: SdkResult) => void;
  /** Receives errors. May be called more than once. Without a key it is called before the constructor has returned. */
  onError: (error: SdkError) => void;
  /** Receives progress events for your analytics. */
  onEvent?: (event: SdkEvent) => void;
};

/** The SDK was used incorrectly. The message states the fix. Failures of a session go to `onError` instead. */
export class CountersignUsageError extends Error {
  override name = "CountersignUsageError";
}

/**
 * The wallet in a frame on your page. The person proves their phone and shares data; you get the UUID of the shared
 * data.
 *
 * ```ts
 * const sdk = new Countersign({
 *   sessionKey, // from your server
 *   walletUrl: "https://wallet.example",
 *   onResult: (result) => (result.outcome === "shared" ? send(result.identityUuid) : showOwnForm()),
 *   onError: ({ reason, message, requestId }) => showOwnForm(),
 * });
 * sdk.show("#signup");
 * ```
 *
 * One instance shows one session, once. For another session, create another instance with a new key. The constructor
 * does not use `window`, so it also runs on a server. Incorrect use throws a `CountersignUsageError`; failures of a
 * session go to `onError`.
 */
export class Countersign {
  readonly #options: CountersignOptions;
  readonly #wallet: URL;
  #state: "new" | "shown" | "over" = "new";
  #isResultSent = false;
  #frame: Frame | undefined;
  #channel: Channel | undefined;
  #focus: FocusMemory | undefined;

  /** Throws if an option is invalid. Without a key, `onError` gets `INVALID_SESSION_KEY`, and `show` does nothing. */
  constructor(options: CountersignOptions) {
    const fix = fixOf(options);
    if (fix !== undefined) throw new CountersignUsageError(fix);
    const wallet = readWalletUrl(options.walletUrl);
    if (wallet === undefined)
      throw new CountersignUsageError("Pass the walletUrl of your environment, such as https://wallet.example.");
    this.#options = options;
    this.#wallet = wallet;
    const { sessionKey } = options;
    if (typeof sessionKey === "string" && sessionKey.trim() !== "") return;
    this.#fail("INVALID_SESSION_KEY");
    this.#state = "over";
  }

  /**
   * Adds the frame to an element, or to the end of the page. Within ten seconds, `onEvent` gets `SDK_READY` or
   * `onError` gets `UNREACHABLE`. Throws if there is no such element. Does nothing after an earlier `show`, after
   * `destroy`, and on a server.
   *
   * @param place a selector or element; the frame is as wide as it, up to 440 px, and as high as its content
   */
  show(place?: string | Element | null): void {
    if (this.#state !== "new" || typeof document === "undefined") return;
    const element = placeOf(place);
    if (element === undefined)
      throw new CountersignUsageError(`show(${place}) found no element: pass a selector or an element of the page.`);
    this.#state = "shown";
    this.#focus = rememberFocus();
    this.#frame = mountFrame(element, this.#options.locale);
    this.#load(this.#frame, this.#wallet);
  }

  /** Removes the frame and stops all callbacks. May be called at any time and more than once. */
  destroy(): void {
    this.#state = "over";
    this.#channel?.close();
    const losesFocus = this.#frame !== undefined && isInFrame(this.#frame.iframe);
    this.#frame?.remove();
    if (this.#focus !== undefined && losesFocus) restoreFocus(this.#focus);
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
          locale: this.#options.locale,
          onMessage: (message) => this.#onMessage(frame, message),
          onLost: (reason) => this.#fail(reason),
        });
      },
      () => this.#fail("UNREACHABLE", "This page has no WebCrypto: serve it over https."),
    );
  }

  #onMessage(frame: Frame, message: FrameMessage): void {
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
      case "close":
        this.destroy();
        break;
      case "event":
        if (!this.#isResultSent) callSafely(this.#options.onEvent, message.event);
        break;
      case "result":
        if (this.#isResultSent) break;
        this.#isResultSent = true;
        callSafely(this.#options.onResult, message.result);
        break;
      case "error":
        this.#tellError(message.error);
    }
  }

  #enter(frame: Frame): void {
    if (this.#focus === undefined || !mayEnter(this.#focus)) return;
    frame.iframe.focus({ preventScroll: true });
    this.#channel?.focus();
  }

  #fail(reason: SdkError["reason"], message: string = errorMessages[reason]): void {
    this.#tellError({ reason, message, requestId: null });
  }

  #tellError(error: SdkError): void {
    if (this.#state === "over" || this.#isResultSent) return;
    this.#frame?.stopWaiting();
    callSafely(this.#options.onError, error);
  }
}
