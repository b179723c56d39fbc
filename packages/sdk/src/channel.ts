import { startDeadline } from "./deadline.ts";
import type { FrameMessage } from "./messages.ts";
import { frameSource, isHello, readMessage } from "./read.ts";

/** What one frame and its page have to say to each other. */
export type Channel = {
  focus(): void;
  /** Nothing is heard or said afterwards. */
  close(): void;
};

export type ChannelEnds = {
  iframe: HTMLIFrameElement;
  /** The wallet's: the only one that is believed, and the only one that gets the key. */
  origin: string;
  sessionKey: string;
  colorScheme: "light" | "dark";
  onMessage(message: FrameMessage): void;
  /** Nobody said hello, or whoever held the other end is gone. The channel is closed. */
  onLost(reason: "UNREACHABLE" | "SESSION_TIMEOUT"): void;
};

/**
 * Waits for the frame's hello, the one window message that is believed, and answers it once with the session key and one
 * end of a channel. Everything after that goes through the channel, of which nobody else on the page has an end.
 */
export function openChannel(ends: ChannelEnds): Channel {
  const { iframe, origin, sessionKey, colorScheme, onMessage, onLost } = ends;
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
    // `isTrusted`: an event that a script made itself may name any source and origin it likes.
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
    iframe.contentWindow?.postMessage({ source: frameSource, type: "key", sessionKey, colorScheme }, origin, [port2]);
  };
  // A second hello alone says nothing: a frame may repeat itself until it is heard. A document that loads after the one
  // that has the key does: the other end went with it, and the key works once. The first load after the key is usually
  // of the very document that has it, since a script says hello before its document is complete.
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
