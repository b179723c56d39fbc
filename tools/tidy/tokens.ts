import { type Finding, isCode, isTest, isTool, type Rule } from "./rule.ts";
import { lineAt, type Source } from "./source.ts";

type Token = {
  name: string;
  pattern: RegExp;
  instead: string;
  /** Which text is searched; the default is `code` (no comments, no strings). `statements` also leaves out imports. */
  in?: "code" | "statements" | "uncommented" | "comments";
  only?: (path: string) => boolean;
  except?: (path: string) => boolean;
  offending: string;
  clean: string;
  /** The path of the examples. Default: a file of the domain. */
  path?: string;
};

function ruleOf(token: Token): Rule {
  const { name, pattern, instead, only, except, path = "packages/service/src/domain/signup/api/read.ts" } = token;
  return {
    name,
    applies: (file) => isCode(file) && (only?.(file) ?? true) && !(except?.(file) ?? false),
    find: (source) => matches(source, textFor(source, token.in ?? "code"), pattern, instead),
    offending: { [path]: token.offending },
    clean: { [path]: token.clean },
  };
}

function textFor(source: Source, part: NonNullable<Token["in"]>): string {
  return part === "statements" ? withoutImports(source.code) : source[part];
}

/** Blanks import and export lists, where `as` renames and is not a cast. */
function withoutImports(code: string): string {
  const lists = /\b(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?(?:\{[^}]*\}|\*\s*as\s+[\w$]+)/g;
  return code.replace(lists, (list) => list.replace(/[^\n]/g, " "));
}

function matches(source: Source, text: string, pattern: RegExp, instead: string): Finding[] {
  return [...text.matchAll(pattern)].map((match) => ({
    line: lineAt(source.text, match.index),
    message: `${match[0].trim()}: ${instead}`,
  }));
}

const service = "packages/service/src/";
const isAt = (...places: RegExp[]) => {
  return (path: string) => path.startsWith(service) && places.some((place) => place.test(path.slice(service.length)));
};
const readsTime = isAt(/^providers\/system[\w-]*\.ts$/, /^providers\/[^/]+\/clock\.ts$/, /^store\/embedded[\w-]*\.ts$/);
const readsEnvironment = isAt(/^config\/config\.ts$/);
const mayCast = isAt(/^store\//, /^http\/mount\.ts$/);
const isDomain = isAt(/^domain\//);
const isHttp = isAt(/^http\//);
const selectsCell = isAt(/^http\/cell\.ts$/);
const testPath = "packages/service/src/test/journeys.test.ts";

/** Examples show brands how to integrate. They use their own time and environment. */
const isExample = (path: string) => path.startsWith("examples/");

const tokens: Token[] = [
  {
    name: "time comes from the clock",
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)/g,
    instead: "use deps.clock.now()",
    except: (path) => isTool(path) || isExample(path) || readsTime(path) || path === "packages/sdk/src/webhooks.ts",
    offending: "const now = Date.now();\nconst today = new Date();",
    clean: "const now = deps.clock.now(); // not Date.now()\nconst day = new Date(now);",
  },
  {
    name: "random values come from deps.random",
    pattern: /\bMath\.random\b/g,
    instead: "use deps.random (in tests fast-check, with its seed)",
    offending: "const code = Math.random();",
    clean: 'const code = deps.random.integer(6); const text = "Math.random";',
  },
  {
    name: "the environment is read in one file",
    pattern: /\bprocess\.env\b/g,
    instead: "add it to packages/service/src/config/config.ts and pass the value on",
    except: (path) => isTest(path) || isTool(path) || isExample(path) || readsEnvironment(path),
    offending: "const port = process.env.PORT;",
    clean: "const { port } = config;",
  },
  {
    name: "values of a request are stored on the request",
    pattern: /\bnew WeakMap<Fastify(?:Request|Reply)\b/g,
    instead: "use PerRequest; such a map makes every minor garbage collection long",
    offending: "const owners = new WeakMap<FastifyRequest, Owner>();",
    clean: 'const owners = new PerRequest<Owner>("owner");',
  },
  {
    name: "certificates are checked",
    pattern: /\b(?:rejectUnauthorized|checkServerIdentity)\b/g,
    instead: "leave Node's checks as they are; add your own certificate with NODE_EXTRA_CA_CERTS",
    offending: "const tls = { rejectUnauthorized: false };",
    clean: 'const tls = { minVersion: "TLSv1.3" }; // rejectUnauthorized stays',
  },
  {
    name: "programs are started without a shell",
    pattern: /\bexecSync\b|\bshell\s*:/g,
    instead: "use spawn or execFile with a list of arguments",
    except: isTool,
    offending: 'execSync("ls " + folder);\nspawn("ls", [folder], { shell: true });',
    clean: 'spawn("ls", [folder]);',
  },
  {
    name: "no casts",
    // In a mapped type, `as` renames a key.
    pattern: /(?<!\[\w+ in .*)\bas\s+(?!const\b)(?=[\w({["'])/g,
    in: "statements",
    instead: "narrow it, or parse it at the edge; a row's type belongs in store/",
    except: (path) => isTest(path) || mayCast(path),
    offending: "const brand = value as Brand;\nconst other = value as unknown as { a: 1 };",
    clean:
      'import { a as b } from "./a.ts";\nimport * as c from "./c.ts";\nconst words = ["x"] as const; // as is\ntype D = { [K in B as Name<K>]: 1 };',
  },
  {
    name: "defaults with ??",
    pattern: /\|\|\s*(?:(["']) *\1(?! *(?:in\b|\.))|\d|\[\s*\]|\{\s*\}|null\b|undefined\b)/g,
    instead: "use ??; zero and the empty text are values",
    offending: "const retries = given || 3;",
    clean: 'const retries = given ?? 3;\nconst isOpen = a || b || ["x"].includes(c) || "d" in e;',
  },
  {
    name: "no note to come back later",
    pattern: /\b(?:TODO|FIXME|XXX|HACK)\b/g,
    in: "comments",
    instead: "do it now, or open an issue and say here what holds today",
    offending: "const a = 1; // TODO: later",
    clean: 'const a = "TODO"; // done',
  },
  {
    name: "no silenced check",
    pattern: /biome-ignore(?:-\w+)?\s+(?!format)\S*|@ts-(?:ignore|nocheck)/g,
    in: "comments",
    instead: "remove the cause",
    offending: "// biome-ignore lint/suspicious/noExplicitAny: hurry\nconst a: any = 1;",
    clean: "// biome-ignore format: a table\nconst a = [1,2];",
  },
  {
    name: "no error expected by the compiler, except where a test says what must not compile",
    pattern: /@ts-expect-error/g,
    in: "comments",
    except: isTest,
    instead: "remove the cause",
    offending: "// @ts-expect-error\nconst a: string = 1;",
    clean: 'const a = "@ts-expect-error";',
  },
  {
    name: "no branch on the environment in the domain",
    pattern: /(?:===|!==|\bcase)\s*["'](?:sandbox|production)["']/g,
    in: "uncommented",
    only: isDomain,
    instead: "an environment is a set of adapters: let a port answer differently",
    offending: 'if (deps.environment === "sandbox") return;',
    clean: 'if (row.environment === deps.environment) return; // === "sandbox"',
  },
  {
    name: "routes do not select a cell",
    pattern: /\bcells\s*\??\.\s*\w+|\{[^{}]*\}\s*=\s*(?:\w+\.)*cells\b(?!\()/g,
    only: isHttp,
    except: selectsCell,
    instead: "declare what the operation is about in the contract; a flow that asks all cells uses everyCell",
    path: "packages/service/src/http/v2/health.ts",
    offending:
      "const deps = await homeDeps.cells.ofUuid(params.uuid);\nconst { ofToken } = homeDeps.cells;\nlist(cells.all());",
    clean: "const lookup = await readLookup(deps, caller, uuid);\nconst cells = dashboard.reports.cells();",
  },
  {
    name: "tests do not sleep",
    pattern: /\bsetTimeout\s*\(|\bsleep\s*\(|\bwaitForTimeout\s*\(|["'](?:node:)?timers\/promises["']/g,
    in: "uncommented",
    only: isTest,
    instead: "wait for a condition, or move the clock",
    path: testPath,
    offending: 'import { setTimeout as wait } from "node:timers/promises";\nawait page.waitForTimeout(100);',
    clean: "await until(() => texts.length > 0);",
  },
  {
    name: "every test runs",
    pattern: /\.(?:only|skip|todo)\s*\(|\b(?:only|skip|todo):\s*(?:true|"|!|process|is)/g,
    only: isTest,
    instead: "run it, or delete it; a skipped test fails the run",
    path: testPath,
    offending: 'test.only("a", run);\ntest("b", { skip: true }, run);',
    clean: 'test("a story about .skip( in a name", run);',
  },
];

export const tokenRules: readonly Rule[] = tokens.map(ruleOf);
