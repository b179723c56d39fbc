import { pino } from "pino";

export type Log = {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
};

/** Lines are written in batches of this many bytes or milliseconds. Single writes took a tenth of a request's time. */
const batched = { minLength: 8_192, periodicFlush: 100 };

/** Maximum size of an atomic write to a pipe, so that lines of several processes do not mix. */
const pipeBytes = 4_096;

/** JSON lines on standard error, written in the background. `number`: this process's number among several. */
export function openLog(level: string, number?: number): Log & { flush(): void } {
  const atomicLines = number === undefined ? {} : { minLength: pipeBytes / 2, maxWrite: pipeBytes };
  const destination = pino.destination({ fd: 2, sync: false, ...batched, ...atomicLines });
  const base = { pid: process.pid, ...(number === undefined ? {} : { process: number }) };
  const logger = pino({ level, base }, destination);
  return {
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
    flush: () => destination.flushSync(),
  };
}

/** The log entry of a failure: its kind and stack frames. The message may contain personal data, so it is omitted. */
export function breakdownOf(error: unknown): { name: string; code?: string; frames: string[] } {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    name: error.name,
    ...("code" in error ? { code: String(error.code) } : {}),
    frames: frames.map((line) => line.trim()),
  };
}
