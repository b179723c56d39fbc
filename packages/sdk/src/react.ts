"use client";

import { createElement, type ReactElement, type RefCallback, useEffect, useRef, useState } from "react";
import { Countersign, type CountersignOptions } from "./index.ts";

/** The options of `Countersign`. While `sessionKey` is undefined, nothing is shown. */
export type UseCountersignOptions = Omit<CountersignOptions, "sessionKey"> & { sessionKey: string | undefined };

/** The same, and a class name for the element around the frame. */
export type CountersignFrameProps = UseCountersignOptions & { className?: string };

/**
 * Shows the frame in the element that gets the returned `ref`. The session ends when the element or the component is
 * removed. A new `sessionKey` or `walletUrl` starts a new session; other new options do not.
 *
 * ```tsx
 * const place = useCountersign({ sessionKey, walletUrl, onResult, onError });
 * return <section ref={place} />;
 * ```
 */
export function useCountersign(options: UseCountersignOptions): RefCallback<Element> {
  const { sessionKey, walletUrl } = options;
  const [place, setPlace] = useState<Element | null>(null);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    if (place === null || sessionKey === undefined) return;
    const sdk = new Countersign({
      ...latest.current,
      sessionKey,
      walletUrl,
      onResult: (result) => latest.current.onResult(result),
      onError: (error) => latest.current.onError(error),
      onEvent: (event) => latest.current.onEvent?.(event),
    });
    sdk.show(place);
    // StrictMode may run this twice. The first frame is removed before it gets a URL, so its key is not used.
    return () => sdk.destroy();
  }, [place, sessionKey, walletUrl]);
  return setPlace;
}

/**
 * The frame as a component.
 *
 * ```tsx
 * <CountersignFrame sessionKey={key} walletUrl={walletUrl} onResult={finish} onError={showOwnForm} />
 * ```
 */
export function CountersignFrame({ className, ...options }: CountersignFrameProps): ReactElement {
  return createElement("div", { ref: useCountersign(options), className });
}
