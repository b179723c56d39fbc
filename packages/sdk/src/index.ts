import { frameAddress, readWalletUrl } from "./address.ts";
import { type Channel, openChannel } from "./channel.ts";
import { schemeOf } from "./color-scheme.ts";
import { tell } from "./errors.ts";
import { type FocusMemory, giveBack, isInFrame, mayEnter, rememberFocus } from "./focus.ts";
import { type Frame, mountFrame } from "./frame.ts";
import type { FrameMessage, SdkError, SdkErrorReason, SdkEvent, SdkResult } from "./messages.ts";

export type { SdkError, SdkErrorReason, SdkEvent, SdkResult, SdkResultType, SdkStep } from "./messages.ts";

/** What a `Countersign` is made with. */
export type CountersignOptions = {
  /** From your server: `POST /client/1-click` with your API key. Opens one session, once, within 60 minutes. */
  sessionKey: string;
  /** The wallet's address of your environment, such as `https://wallet.example`. */
  walletUrl: string;
  /** Light or dark; where left out it follows your page: dark where its `color-scheme` allows it and the device prefers it. */
  colorScheme?: "light" | "dark";
  /** How it ended; called at most once. */
  onResult: (result: SdkResult) => void;
  /** Why it cannot go on; may be called before the constructor returns, and more than once, never after the result. */
  onError: (error: SdkError) => void;
  /** What happens on the way, for your statistics. */
  onEvent?: (event: SdkEvent) => void;
};

/**
 * The wallet in a frame on your page: the person proves their phone and shares, and you get the uuid of what they shared.
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
 * One instance is one session, shown once: for another, make another with a new key. Making one touches no `window`, so
 * it may happen on a server. Nothing here throws; what goes wrong is said to `onError`.
 */
export class Countersign {
  readonly #options: CountersignOptions;
  readonly #wallet: URL | undefined;
  #state: "new" | "shown" | "over" = "new";
  #resultTold = false;
  #frame: Frame | undefined;
  #channel: Channel | undefined;
  #focus: FocusMemory | undefined;

  /** An empty key is `INVALID_SESSION_KEY`, an address that is none `UNREACHABLE`, both at once; then nothing is shown. */
  constructor(options: CountersignOptions) {
    this.#options = options;
    this.#wallet = readWalletUrl(options.walletUrl);
    const { sessionKey } = options;
    if (typeof sessionKey !== "string" || sessionKey.trim() === "") this.#refuse("INVALID_SESSION_KEY");
    else if (this.#wallet === undefined) this.#refuse("UNREACHABLE");
  }

  /**
   * Puts the frame into an element, or at the end of the page. Does nothing where it was shown before, was destroyed, or
   * has no page. Within ten seconds there is an `SDK_READY` for `onEvent`, or `UNREACHABLE` for `onError`.
   *
   * @param element where to; as wide as this, up to 440 px, and as high as its content
   */
  show(element?: Element | null): void {
    if (this.#state !== "new" || this.#wallet === undefined || typeof document === "undefined") return;
    this.#state = "shown";
    this.#focus = rememberFocus();
    this.#frame = mountFrame(element ?? document.body ?? document.documentElement);
    this.#load(this.#frame, this.#wallet);
  }

  /** Takes the frame away and is silent from then on. May be called at any time, and again. */
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
