import type { EndPicture } from "@countersign/contract/pictures";
import type { BrandLook } from "@countersign/contract/wallet";
import { sharedSoFar } from "../sharing-state.ts";
import type { Words } from "../words-en.ts";

/** The ways in which a page can end without a decision. */
export type End = keyof Words["endTitles"];

type EndRow = {
  mark: EndPicture;
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
  expired: { mark: "expired", goesOn: "restart", tells: "notShared" },
  attempts: { mark: "guarded", goesOn: "restart", tells: "notShared", enters: "frame", newSession: "withoutForm" },
  stopped: { mark: "stopped", goesOn: "restart", tells: "text", newSession: "always" },
  elsewhere: { mark: "expired", goesOn: "restart", tells: "text", newSession: "always" },
  noData: { mark: "nothing", goesOn: "brand", tells: "stillGets", enters: "anywhere" },
  risk: { mark: "guarded", goesOn: "brand", tells: "refused" },
  mismatches: { mark: "guarded", goesOn: "brand", tells: "stillGets", enters: "anywhere" },
  missing: { mark: "declined", goesOn: "brand", tells: "requires", enters: "anywhere" },
  over: { mark: "expired", goesOn: "restart", tells: "sharedSoFar", newSession: "always", manages: true },
  unknown: { mark: "nothing", goesOn: "restart", tells: "text", manages: true },
  lost: { mark: "broken", goesOn: "brand", tells: "text", retries: true },
  broken: { mark: "broken", goesOn: "brand", tells: "sharedSoFar", newSession: "always", retries: true },
};

/** The ends by the service's error codes. Any other code is `broken`. */
const endsByCode: Readonly<Record<string, End>> = {
  OCE007: "missing",
  OCE011: "noData",
  OCE013: "noData",
  OCE015: "over",
  OVER: "over",
  OCE017: "risk",
  OCE019: "mismatches",
  OCV002: "attempts",
  OCV007: "expired",
  LOST: "lost",
};

export function endOfCode(code: string): End {
  return endsByCode[code] ?? "broken";
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
