import { findKeyed } from "../../store/keyed.ts";
import type { HomeDeps } from "../deps.ts";
import { refuse } from "../failure.ts";
import { randomToken, tokenHash } from "../token.ts";
import { sessionLifeMs } from "./make.ts";
import { markOpened, sessionSelector } from "./session-rows.ts";

/** Opens the session of a key and returns its token. Of concurrent calls with one key, one succeeds. */
export async function openSession(
  deps: HomeDeps,
  { sessionKey, frame }: { sessionKey: string; frame: string },
): Promise<{ sessionToken: string; expiresAt: number }> {
  // The frame's URL contains the key's hash, which decides who may frame the page. A key with another hash would bypass
  // that.
  const keyHash = tokenHash(sessionKey);
  if (keyHash.toString("base64url") !== frame) throw refuse(401, "INVALID_SESSION_KEY");
  const now = deps.clock.now();
  const selector = sessionSelector(keyHash);
  const sessionToken = `${selector}${randomToken(deps.random)}`;
  const expiresAt = now + sessionLifeMs;
  const uuid = await findKeyed(deps, selector, (keyed) =>
    keyed.inTransaction((trx) => markOpened(deps, trx, { sessionKey, token: sessionToken, expiresAt })),
  );
  // Unknown, used and expired keys get the same answer, so a thief learns nothing from it.
  if (uuid === null) throw refuse(401, "INVALID_SESSION_KEY");
  return { sessionToken, expiresAt };
}
