/** `npm run check`: checks that take seconds and need no server: types, lint, generated files, tidy rules. */
import { isGreen, runTests } from "./run-tests.ts";
import { failedStaticChecks } from "./static-checks.ts";

const [failed, counts] = await Promise.all([
  failedStaticChecks(),
  runTests(["tools/generated.test.ts", "tools/tidy.test.ts"]),
]);
if (failed.length > 0) process.stdout.write(`failed: ${failed.join(", ")}\n`);
process.exitCode = failed.length === 0 && isGreen(counts) ? 0 : 1;
