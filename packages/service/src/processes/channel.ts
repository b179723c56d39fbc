/** Messages between the main process and a serving process: questions and answers. */
import type { Figures } from "../http/metrics.ts";
import type { Ready } from "../service.ts";
import type { Grace } from "./stop.ts";

/** What a serving process needs to know before it can start. */
export type Assignment = {
  number: number;
  databaseUrl: string;
  databasePool: number;
  /** Whether this process creates the first sign-in link of DEMO mode. */
  offersLink: boolean;
  areReady: boolean;
};
export type StartedProcess = { ready: Ready; missing: string[]; signInLink?: string; operatorLink?: string };

/** The questions of the main process to a serving process. */
export type AskedOfServing = {
  /** Resolves once the process answers requests. */
  begin(assignment: Assignment): Promise<StartedProcess>;
  /** Tells whether all processes answer requests. */
  allReady(areReady: boolean): Promise<void>;
  /** The process's own metrics. */
  figures(): Promise<Figures>;
  readClock(): Promise<void>;
  /** Resolves with the last metrics. */
  stop(grace: Grace): Promise<Figures>;
};
/** The questions of a serving process to the main process. */
export type AskedOfMain = {
  /** The metrics of all processes, as text. */
  metrics(): Promise<string>;
  /** Resolves when all other processes have read the sandbox's clock. */
  clockMoved(): Promise<void>;
};

type Questions<Kind extends string = string> = Record<Kind, (input: never) => Promise<unknown>>;
export type Ask<Asked extends Questions<keyof Asked & string>> = <Kind extends keyof Asked & string>(
  kind: Kind,
  ...input: Parameters<Asked[Kind]>
) => Promise<Awaited<ReturnType<Asked[Kind]>>>;
type Message<Kind> =
  | { id: number; kind: Kind; input: never }
  | { id: number; answer: unknown }
  | { id: number; failed: string };
export type Port<Kind> = { send(message: object): void; onMessage(listener: (message: Message<Kind>) => void): void };
type Waiting = { resolve(answer: unknown): void; reject(error: Error): void };

/**
 * Answers the other end's questions, and returns a function that asks it. A question to a dead process never resolves.
 */
export function openChannel<Said extends Questions<keyof Said & string>, Heard extends Questions<keyof Heard & string>>(
  port: Port<keyof Heard & string>,
  answers: Heard,
): Ask<Said> {
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  port.onMessage((message) => {
    const { id } = message;
    if ("kind" in message) {
      answers[message.kind](message.input).then(
        (answer) => port.send({ id, answer }),
        (error: unknown) => port.send({ id, failed: String(error) }),
      );
      return;
    }
    const asker = waiting.get(id);
    waiting.delete(id);
    if ("failed" in message) asker?.reject(new Error(message.failed));
    else asker?.resolve(message.answer);
  });
  return (kind, ...[input]) =>
    new Promise((resolve, reject) => {
      asked += 1;
      waiting.set(asked, { resolve, reject });
      port.send({ id: asked, kind, input });
    });
}
