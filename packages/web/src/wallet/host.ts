import type { FrameStep } from "@countersign/contract/frame";
import { createContext } from "preact";
import { useContext } from "preact/hooks";

/** The brand's page around the wallet's frame. Outside a frame, the functions do nothing. */
export type Host = {
  /** Whether the wallet is in a frame. It then never redirects, because the brand's page continues. */
  embedded: boolean;
  /** Reports the current screen. */
  at(step: FrameStep | "loading"): void;
  /** Reports that the person requested a new code. */
  resent(): void;
  /** Removes the frame. Absent outside a frame, and before the brand's page has connected. */
  close?(): void;
};
export const HostContext = createContext<Host>({ embedded: false, at() {}, resent() {} });

export function useHost(): Host {
  return useContext(HostContext);
}
