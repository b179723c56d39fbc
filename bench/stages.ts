/** Attributes the samples of a CPU profile to the stages of a request, by the files of their frames. */
import type { Profiler } from "node:inspector";

export type StageTimes = { shares: Record<string, number>; functions: Record<string, number> };

/** The first match decides. A frame that matches none has the stage of its caller. */
const stagesOfFiles: [RegExp, string][] = [
  [/\/http\/body\.ts|secure-json-parse/, "parse"],
  [/\/http\/(auth|cell|limits|subject|host|other-sites)\.ts/, "guard"],
  [/\/domain\/validate\.ts|\/typebox\/|\/http\/(unknown|empty)-members\.ts/, "validate"],
  [/\/store\/(seal|vault)\.ts|compact-facts\.ts/, "seal"],
  [/request-log\.ts|\/src\/log\.ts|\/pino|sonic-boom|thread-stream|\/fast-redact/, "log"],
  [/\/http\/metrics\.ts|prom-client/, "metrics"],
  [/\/domain\/(signup\/entity|credential\/assemble|credential\/format)|\/http\/v[12]\//, "present"],
  [/fast-json-stringify/, "serialize"],
  [/\/store\/|-rows\.ts|\/kysely\/|\/pg\/|\/pg-|postgres-/, "statements"],
  [/\/src\/providers\//, "providers"],
  [/\/domain\/|\/jobs\//, "flow"],
  [/\/undici\//, "webhooks"],
  [/\/src\/http\/|\/src\/compose\//, "hooks"],
  [/\/fastify|\/find-my-way|\/avvio|light-my-request|fast-querystring|\/reusify|\/toad-cache/, "HTTP"],
];

const stagesOfNatives = new Map([
  ["(garbage collector)", "collector"],
  ["(program)", "native"],
  ["runMicrotasks", "ticks"],
  ["processTicksAndRejections", "ticks"],
]);

export function stageTimes({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): StageTimes {
  const callers = new Map<number, Profiler.ProfileNode>();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const child of node.children ?? []) callers.set(child, node);
  const stages = new Map(nodes.map((node) => [node.id, stageOf(node, callers)]));
  const shares: Record<string, number> = {};
  const functions: Record<string, number> = {};
  let busy = 0;
  for (const [at, id] of samples.entries()) {
    const stage = stages.get(id) ?? "native";
    const node = byId.get(id);
    if (node === undefined || node.callFrame.functionName === "(idle)") continue;
    // Starting and ending the profile.
    if (node.callFrame.url === "node:inspector") continue;
    const time = timeDeltas[at] ?? 0;
    busy += time;
    shares[stage] = (shares[stage] ?? 0) + time;
    const name = `${stage} ${nameOf(node)}`;
    functions[name] = (functions[name] ?? 0) + time;
  }
  const scaled = (times: Record<string, number>) =>
    Object.fromEntries(Object.entries(times).map(([name, time]) => [name, time / busy]));
  return { shares: scaled(shares), functions: scaled(functions) };
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: Profiler.ProfileNode): string {
  return `${functionName === "" ? "(anonymous)" : functionName} ${url.split("/").slice(-3).join("/")}:${lineNumber + 1}`;
}

function stageOf(leaf: Profiler.ProfileNode, callers: ReadonlyMap<number, Profiler.ProfileNode>): string {
  let isGenerated = false;
  for (let node: Profiler.ProfileNode | undefined = leaf; node !== undefined; node = callers.get(node.id)) {
    const { url, functionName } = node.callFrame;
    const native = stagesOfNatives.get(functionName);
    if (native !== undefined) return native;
    if (url === "" && functionName.startsWith("anonymous")) isGenerated = true;
    // The serializers of answers are generated code without a file.
    if (isGenerated && url.endsWith("/http/server.ts")) return "serialize";
    const found = stagesOfFiles.find(([file]) => file.test(url));
    if (found !== undefined) return found[1];
  }
  const { url, functionName } = leaf.callFrame;
  if (url.startsWith("node:") || functionName === "writev" || functionName === "writeUtf8String") return "HTTP";
  return "native";
}
