/**
 * `node tools/prove/guide.ts`: creates a fresh Debian with debootstrap and runs the guide's commands in it as root,
 * unchanged. Needs root, debootstrap and the network. `DEBIAN_MIRROR` and `DEBIAN_SUITE` override the defaults.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { root, say } from "./process.ts";

const suite = process.env.DEBIAN_SUITE ?? "trixie";
const mirror = process.env.DEBIAN_MIRROR ?? "http://deb.debian.org/debian";
const guide = ["install", "backup"]
  .map((name) => readFileSync(resolve(root, `docs/operate/${name}.md`), "utf8"))
  .join("\n");
const section = (title: string) => guide.split(/^## /m).find((one) => one.startsWith(title)) ?? "";
const blocks = (title: string, count: number) => {
  const found = [...section(title).matchAll(/```console\n([\s\S]*?)```/g)].map(([, text]) => text);
  if (found.length !== count) throw new Error(`"${title}" has ${found.length} blocks instead of ${count}`);
  return found;
};

/** Replaces `systemctl enable --now` for our unit, because the tree has no init system. */
const systemctl = `#!/bin/bash
set -e
unit=/etc/systemd/system/$3.service
value() { sed -n "s/^$1=//p" $unit; }
set -a; . <(sed 's/=\\(.*\\)/="\\1"/; s/""/"/g' "$(value EnvironmentFile)"); while read -r line; do export "$line"; done < <(value Environment); set +a
cd "$(value WorkingDirectory)"
user() { setpriv --reuid="$(value User)" --regid="$(value Group)" --init-groups --no-new-privs "$@"; }
user $(value ExecStart) >/var/log/countersign.log 2>&1 &
`;
const step = (what: string, text: string) => `echo "== ${what}"\n${text}\n`;

function script(): string {
  const [install = "", build = "", run = "", account = ""] = blocks("A server of your own", 4);
  const [backup = ""] = blocks("Back up", 2);
  // The other blocks are for cells, and for a unit that `systemctl` above does not know.
  const [restore = ""] = blocks("Practice", 4);
  return [
    "set -e; export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8; cd /root",
    // An init system would have started the cluster after the installation.
    step("install", install.replace("\n", "\npg_ctlcluster $(pg_lsclusters -h | cut -d' ' -f1,2) start || true\n")),
    'su countersign -c "tar -x -C /opt/countersign -f /release.tar"',
    step("build", build),
    step("run", run),
    step("account", account),
    step("backup", backup),
    step("restore", restore),
    step("look", "su postgres -c \"psql -At restored -c 'select count(*) from member'\""),
    "curl -sf http://localhost:4000/livez; echo; cat /var/log/countersign.log | grep -c error || true",
  ].join("\n");
}

if (process.getuid?.() !== 0) throw new Error("only root can create a root directory and change into it");
const tree = mkdtempSync(join(tmpdir(), "countersign-guide-"));
// Other users must be able to enter the root directory.
chmodSync(tree, 0o755);
try {
  say(`a fresh Debian ${suite}`);
  execFileSync("debootstrap", ["--variant=minbase", suite, tree, mirror], { stdio: ["ignore", "ignore", "inherit"] });
  execFileSync("git", ["-C", root, "archive", "--output", join(tree, "release.tar"), "HEAD"]);
  writeFileSync(join(tree, "usr/local/bin/systemctl"), systemctl, { mode: 0o755 });
  writeFileSync(join(tree, "root/guide.sh"), script());
  // All processes of the script end with its shell.
  const inside = ["--mount", "--pid", "--fork", "--kill-child", `--mount-proc=${tree}/proc`, "chroot", tree];
  // Pass on the certificate of a proxy that inspects TLS.
  const { NODE_EXTRA_CA_CERTS: certificate } = process.env;
  if (certificate !== undefined) copyFileSync(certificate, join(tree, "certificate.pem"));
  const trusted = certificate === undefined ? {} : { NODE_EXTRA_CA_CERTS: "/certificate.pem" };
  const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  const { status } = spawnSync("unshare", [...inside, "bash", "/root/guide.sh"], {
    env: { PATH, HOME: "/root", ...trusted },
    stdio: ["ignore", "inherit", "inherit"],
  });
  say(status === 0 ? "every block of the script succeeded" : `a block failed: ${status}`);
  process.exitCode = status === 0 ? 0 : 1;
} finally {
  rmSync(tree, { recursive: true, force: true });
}
