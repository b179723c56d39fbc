import { startDeadline } from "./deadline.ts";
import type { FrameMessage } from "./messages.ts";
import { frameSource, isHello, readMessage } from "./read.ts";

/** The connection between one frame and its page. */
export type Channel = {
  focus(): void;
  /** Stops sending and receiving. */
  close(): void;
};

export type ChannelEnds = {
  iframe: HTMLIFrameElement;
  /** The wallet's origin. Only messages from it are accepted, and only it gets the key. */
  origin: string;
  sessionKey: string;
  colorScheme: "light" | "dark";
  locale: string | undefined;
  onMessage(message: FrameMessage): void;
  /** The frame never sent hello, or its document was replaced. The channel is closed. */
  onLost(reason: "UNREACHABLE" | "SESSION_TIMEOUT"): void;
};

/**
 * Waits for the frame's hello, the only window message that it accepts. It replies once with the session key and one
 * end of a channel. All later messages use the channel, which no other script on the page can reach.
 */
export function openChannel(ends: ChannelEnds): Channel {
  const { iframe, origin, onMessage, onLost, ...handed } = ends;
  let port: MessagePort | undefined;
  let loadsBefore = 0;
  let loadsAfter = 0;
  let isRepeated = false;
  const close = () => {
    stopDeadline();
    removeEventListener("message", onWindowMessage);
    iframe.removeEventListener("load", onLoad);
    port?.close();
    if (port !== undefined) port.onmessage = null;
  };
  const lose = (reason: "UNREACHABLE" | "SESSION_TIMEOUT") => {
    close();
    onLost(reason);
  };
  const onWindowMessage = (event: MessageEvent) => {
    // `isTrusted` rejects events that a script dispatched, because a script can set any source and origin.
    if (!event.isTrusted || event.source === null || event.source !== iframe.contentWindow) return;
    if (event.origin !== origin || !isHello(event.data)) return;
    if (port === undefined) answer();
    else {
      isRepeated = true;
      loseIfGone();
    }
  };
  const answer = () => {
    stopDeadline();
    const { port1, port2 } = new MessageChannel();
    port = port1;
    port1.onmessage = ({ data }) => {
      const message = readMessage(data);
      if (message !== undefined) onMessage(message);
    };
    iframe.contentWindow?.postMessage({ source: frameSource, type: "key", ...handed }, origin, [port2]);
  };
  // The channel is lost if another document loads in the frame: the document with the key is gone, and the key works
  // only once. A repeated hello alone is not enough, because a frame may repeat it until it gets a reply. The first
  // load event after the key is not enough either: it usually belongs to the document that has the key, because its
  // script sends hello before the document is complete.
  const loseIfGone = () => {
    if (loadsAfter > 1 || (loadsAfter === 1 && loadsBefore > 0 && isRepeated)) lose("SESSION_TIMEOUT");
  };
  const onLoad = () => {
    if (port === undefined) loadsBefore += 1;
    else loadsAfter += 1;
    loseIfGone();
  };
  const stopDeadline = startDeadline(() => lose("UNREACHABLE"));
  addEventListener("message", onWindowMessage);
  iframe.addEventListener("load", onLoad);
  return { focus: () => port?.postMessage({ type: "focus" }), close };
}
