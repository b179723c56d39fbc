/** Checks the systemd units and the script for commands against the code. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test from "node:test";
import { systemClock } from "../../providers/system.ts";
import { assertCommand, assertVariables, read, root } from "../harness/deploy-files.ts";

test("the systemd unit starts a file that exists, with variables that the service reads", async () => {
  const text = await read("deploy/countersign.service");
  const started = [...text.matchAll(/^Exec\w+=\/usr\/bin\/env node (.*)$/gm)];
  assert.ok(started.length > 0);
  for (const [, line = ""] of started) {
    const [path = "", ...args] = line.split(" ");
    assert.ok(existsSync(resolve(root, path)), path);
    assertCommand(args, line);
  }
  assertVariables(
    [...text.matchAll(/^Environment=(\w+)=/gm)].map(([, name = ""]) => name),
    "countersign.service",
  );
});

test("only the service itself decides with its exit code whether systemd tries again", async () => {
  for (const name of ["countersign.service", "countersign@.service"]) {
    const text = await read(`deploy/${name}`);
    assert.match(text, /^RestartPreventExitStatus=64 78$/m);
    // systemd ignores the exit codes of other commands here, and tries again for ever.
    assert.deepEqual(
      [...text.matchAll(/^(Exec\w+)=/gm)].map(([, kind]) => kind),
      ["ExecStart"],
      name,
    );
  }
});

test("the script for commands gives them the settings and the protection of the systemd unit", async () => {
  const unit = await read("deploy/countersign.service");
  const script = (await read("deploy/countersign.sh")).replaceAll(/"(\w+=[^"$]*)"/g, "$1");
  const ofServiceOnly = /^(?:ExecStart|TimeoutStopSec|Restart|RestartSec|RestartPreventExitStatus|WorkingDirectory)=/;
  const [, service = ""] = /\[Service\]\n([\s\S]*?)\n\[Install\]/.exec(unit) ?? [];
  const given = service.split("\n").filter((line) => /^\w/.test(line) && !ofServiceOnly.test(line));
  assert.ok(given.length > 15);
  const passed = [...script.matchAll(/-p (\w+=.*?) \\$/gm)].map(([, property]) => property);
  assert.deepEqual(passed.filter((one) => one?.startsWith("WorkingDirectory") === false).sort(), given.sort());
});

test("the script for commands tells systemd a fixed description, so that the journal gets no argument", async () => {
  const [, run = ""] = (await read("deploy/countersign.sh")).split("exec systemd-run ");
  assert.match(run, /^--description='[^'$]+' /);
});

test("no document, and no example of a command, has the address of a cell in the arguments", async () => {
  const paths = globSync(["*.md", "docs/**/*.md"], { cwd: root, exclude: ["**/node_modules/**"] });
  const texts = await Promise.all(paths.map(read));
  assert.ok(texts.some((text) => /cells add - /.test(text)));
  for (const [at, text] of texts.entries()) assert.doesNotMatch(text, /cells (add|adopt)\b.*postgres/, paths[at]);
});

test("the unit for one more process is the service's unit with settings and a folder of its own", async () => {
  const own = (await read("deploy/countersign@.service")).split("\n");
  const service = (await read("deploy/countersign.service")).split("\n");
  const setting = (line: string) => /^\w/.test(line) && !line.startsWith("Description=");
  assert.deepEqual(
    own.filter((line) => setting(line) && !service.includes(line)),
    [
      "EnvironmentFile=/etc/countersign/%i.env",
      "Environment=DATA_DIR=/var/lib/countersign-%i",
      "StateDirectory=countersign-%i",
    ],
  );
  assert.deepEqual(
    service.filter((line) => setting(line) && !own.includes(line)),
    ["Environment=DATA_DIR=/var/lib/countersign", "StateDirectory=countersign"],
  );
  // The later file wins.
  assert.ok(
    own.indexOf("EnvironmentFile=/etc/countersign/env") < own.indexOf("EnvironmentFile=/etc/countersign/%i.env"),
  );
});

test("a complete dump gets the day's name and replaces old ones, and a failed one deletes nothing", async () => {
  const unit = await read("deploy/countersign-backup.service");
  const [dump = "", ...after] = [...unit.matchAll(/^ExecStart=(.*)$/gm)].map(([, line = ""]) => line);
  assert.match(dump, /^\/usr\/bin\/pg_dump --format=custom --file=unfinished countersign$/);
  assert.match(unit, /^UMask=0077$/m);
  const folder = mkdtempSync(join(tmpdir(), "countersign-dumps-"));
  const write = (name: string, daysAgo: number) => {
    writeFileSync(join(folder, name), "");
    const time = systemClock.now() / 1000 - daysAgo * 24 * 3600;
    utimesSync(join(folder, name), time, time);
  };
  write("countersign-older.dump", 15);
  write("countersign-newer.dump", 12);
  write("somebody-elses.dump", 15);
  // systemd gives a command without a shell its words as they are, and reads `$$` and `%%` as one character.
  const runs = () => {
    for (const line of after) {
      const [program = "", ...words] = line.match(/'[^']*'|\S+/g) ?? [];
      const args = words.map((word) => word.replaceAll("'", "").replaceAll("$$", "$").replaceAll("%%", "%"));
      execFileSync(program, args, { cwd: folder, stdio: "pipe" });
    }
  };
  assert.throws(runs, /unfinished/);
  assert.ok(existsSync(join(folder, "countersign-older.dump")));
  write("unfinished", 0);
  runs();
  const left = readdirSync(folder).sort();
  rmSync(folder, { recursive: true });
  assert.match(left.join(" "), /^countersign-\d{4}-\d{2}-\d{2}\.dump countersign-newer\.dump somebody-elses\.dump$/);
});
