import type { BrandLook } from "@countersign/contract/wallet";
import { sharedSoFar } from "../sharing-state.ts";
import type { Words } from "../words-en.ts";

/** The ways in which a page can end without a decision. */
export type End = keyof Words["endTitles"];

type EndRow = {
  /** The service's error codes for this end. */
  codes?: readonly string[];
  /** `bad` is red, for an error. A failed security check of a number is not an error. */
  mark: "none" | "bad";
  /** `restart`: the person must start again. `brand`: the person continues at the brand without us. */
  goesOn: "restart" | "brand";
  /**
   * What the screen says. `text`: only the end's text. `notShared`: also that nothing was shared. `sharedSoFar`: also
   * whether something was shared, because this end can occur after a release. `stillGets`: the brand gets the phone and
   * its risk rating. `refused`: the same, after a failed security check. `requires`: which details are missing.
   */
  tells: "text" | "notShared" | "sharedSoFar" | "stillGets" | "refused" | "requires";
  /** Where the person can enter the details at the brand. Absent: nowhere. */
  enters?: "anywhere" | "frame";
  /** Whether the brand's page needs a new session. `withoutForm`: only if the brand offers no form of its own. */
  newSession?: "always" | "withoutForm";
  /** Whether the screen offers a retry. */
  retries?: true;
  /** Whether the screen links to the person's account if it knows no brand. */
  manages?: true;
};

export const ends: Readonly<Record<End, EndRow>> = {
  expired: { codes: ["OCV007"], mark: "none", goesOn: "restart", tells: "notShared" },
  attempts: {
    codes: ["OCV002"],
    mark: "bad",
    goesOn: "restart",
    tells: "notShared",
    enters: "frame",
    newSession: "withoutForm",
  },
  stopped: { mark: "bad", goesOn: "restart", tells: "text", newSession: "always" },
  elsewhere: { mark: "none", goesOn: "restart", tells: "text", newSession: "always" },
  noData: { codes: ["OCE011", "OCE013"], mark: "none", goesOn: "brand", tells: "stillGets", enters: "anywhere" },
  risk: { codes: ["OCE017"], mark: "none", goesOn: "brand", tells: "refused" },
  mismatches: { codes: ["OCE019"], mark: "bad", goesOn: "brand", tells: "stillGets", enters: "anywhere" },
  missing: { codes: ["OCE007"], mark: "none", goesOn: "brand", tells: "requires", enters: "anywhere" },
  over: {
    codes: ["OCE015", "OVER"],
    mark: "none",
    goesOn: "restart",
    tells: "sharedSoFar",
    newSession: "always",
    manages: true,
  },
  unknown: { mark: "none", goesOn: "restart", tells: "text", manages: true },
  lost: { codes: ["LOST"], mark: "bad", goesOn: "brand", tells: "text", retries: true },
  // Every other code.
  broken: { mark: "bad", goesOn: "brand", tells: "sharedSoFar", newSession: "always", retries: true },
};

export function endOfCode(code: string): End {
  const names = Object.keys(ends) as End[];
  return names.find((end) => ends[end].codes?.includes(code)) ?? "broken";
}

/** Whether the person can enter the details at the brand. */
export function mayEnter(end: End, { embedded, brand }: { embedded: boolean; brand: BrandLook | undefined }): boolean {
  const { enters } = ends[end];
  const isHere = enters === "anywhere" || (enters === "frame" && embedded);
  return isHere && brand !== undefined && brand.manualSignup !== "hide";
}

/** Whether the brand's page cannot continue as it is. Only a session that ended before sharing can be started again. */
export function mustReload(end: End, brand: BrandLook | undefined): boolean {
  const { newSession } = ends[end];
  const isNeeded = newSession === "always" || (newSession === "withoutForm" && brand?.manualSignup === "hide");
  return isNeeded && sharedSoFar() !== "something";
}

/** Whether the link to the brand starts again. After an expired session, only if nothing was shared. */
export function startsAgain(end: End): boolean {
  return ends[end].goesOn === "restart" && (end !== "over" || sharedSoFar() === "nothing");
}
