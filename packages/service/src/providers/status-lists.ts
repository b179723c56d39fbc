/** Reads the status lists of authorities, whose addresses their state IDs name. */
import { type Dispatcher, request } from "undici";
import { readBytes } from "./call.ts";
import { checkedAgent, type Resolve } from "./outbound.ts";

/** A longer list is not read. The largest ones have about a million statuses, compressed to less than 200 KB. */
const bytesMax = 2 * 1_024 * 1_024;
const mediaType = "application/statuslist+cwt";

export type StatusLists = {
  /** Null if the list cannot be read, for whatever reason. */
  read(uri: string, deadlineMs: number): Promise<Uint8Array | null>;
  close(): Promise<void>;
};

/** `loopback`: whether lists on this machine are read, as in tests. */
export function statusLists(options: { loopback?: boolean; resolve?: Resolve } = {}): StatusLists {
  const { agent, judge } = checkedAgent({ loopback: false, ...options });
  return {
    async read(uri, deadlineMs) {
      if (judge(uri) !== null) return null;
      try {
        return await get(agent, uri, deadlineMs);
      } catch {
        return null;
      }
    },
    close: () => agent.destroy(),
  };
}

/** Follows no redirect. */
async function get(dispatcher: Dispatcher, uri: string, deadlineMs: number): Promise<Uint8Array | null> {
  const { statusCode, headers, body } = await request(uri, {
    headers: { accept: mediaType },
    dispatcher,
    signal: AbortSignal.timeout(deadlineMs),
  });
  const bytes = await readBytes(body, bytesMax);
  const isList = statusCode === 200 && headers["content-type"] === mediaType;
  return isList && bytes !== null ? new Uint8Array(bytes) : null;
}
