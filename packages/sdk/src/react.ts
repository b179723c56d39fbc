"use client";

import { createElement, type ReactElement, useEffect, useRef } from "react";
import { Countersign, type CountersignOptions } from "./index.ts";

/** The options of `Countersign`, and a class name for the element around the frame. */
export type CountersignFrameProps = CountersignOptions & { className?: string };

/**
 * The frame as a component. A new `sessionKey` or `walletUrl` begins anew; new callbacks do not.
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
      // A page that turns dark does not begin a session anew.
      colorScheme: latest.current.colorScheme,
      onResult: (result) => latest.current.onResult?.(result),
      onError: (error) => latest.current.onError?.(error),
      onEvent: (event) => latest.current.onEvent?.(event),
    });
    sdk.show(place.current);
    // StrictMode mounts twice: the first frame is gone before it has an address, so its key is not spent.
    return () => sdk.destroy();
  }, [sessionKey, walletUrl]);
  return createElement("div", { ref: place, className });
}
