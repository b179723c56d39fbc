import type { FrameStep } from "@countersign/contract/frame";
import { createContext } from "preact";
import { useContext } from "preact/hooks";

/** The page around the wallet, where it is a frame; on a page of its own nobody listens. */
export type Host = {
  /** Whether there is one: then it leads on, and not the wallet. */
  embedded: boolean;
  /** A screen is shown. */
  at(step: FrameStep | "loading"): void;
  /** A new code was asked for. */
  resent(): void;
};
export const HostContext = createContext<Host>({ embedded: false, at() {}, resent() {} });

export function useHost(): Host {
  return useContext(HostContext);
}
