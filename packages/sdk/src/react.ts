"use client";

import { createElement, type ReactElement, useEffect, useRef } from "react";
import { Countersign, type CountersignOptions } from "./index.ts";

/** The options of `Countersign`, and a class name for the element around the frame. */
export type CountersignFrameProps = CountersignOptions & { className?: string };

/**
 * The frame as a component. A new `sessionKey` or `walletUrl` starts a new session; new callbacks do not.
 *
 * ```tsx
 * <CountersignFrame sessionKey={key} walletUrl={walletUrl} onResult={finish} onError={showOwnForm} />
 * ```
 */
export function CountersignFrame(props: CountersignFrameProps): ReactElement {
  const { sessionKey, walletUrl, className } = props;
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const sdk = new Countersign({
      sessionKey,
      walletUrl,
      // A later change of the page's color scheme does not start a new session.
      colorScheme: latest.current.colorScheme,
      onResult: (result) => latest.current.onResult?.(result),
      onError: (error) => latest.current.onError?.(error),
      onEvent: (event) => latest.current.onEvent?.(event),
    });
    sdk.show(place.current);
    // StrictMode mounts twice. The first frame is removed before it gets a URL, so its key is not used.
    return () => sdk.destroy();
  }, [sessionKey, walletUrl]);
  return createElement("div", { ref: place, className });
}
