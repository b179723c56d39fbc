/** What the person's own page can show. */
import type { AccountView, SignIn } from "@countersign/contract/account";
import type { Erased } from "./account-api.ts";
import type { SignInNote } from "./sign-in.tsx";

export type Screen =
  | { at: "home" | "takeOut" | "wallet" | "download" | "devices" | "delete" | "newHolder" }
  /** A proof is required before another screen. */
  | { at: "proof"; goesOnTo: "home" | "takeOut" | "wallet" | "download" | "delete" }
  /** A proof whose end returns to the brand that is below it in the history. */
  | { at: "brandProof"; uuid: string }
  | { at: "brand"; uuid: string }
  /** Has ids instead of values, because the browser's history outlives the page. */
  | { at: "edit"; uuid: string; share: string; key: string };
export type State =
  | { kind: "loading" }
  | { kind: "phone"; typed: string; said?: SignInNote }
  | { kind: "code"; phone: string; signIn: SignIn }
  | { kind: "in"; view: AccountView; provenUntil: number | null; screen: Screen; said: string }
  | { kind: "erased"; erased: Erased }
  | { kind: "failed"; end: "lost" | "broken" };
/** Where the page begins, and where it returns to. */
export const home: Screen = { at: "home" };

/**
 * How much earlier than the service this page treats a proof as expired, in milliseconds. Otherwise the service could
 * reject a form that the person has just filled in.
 */
export const marginMs = 5_000;
