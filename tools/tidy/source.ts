import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { commentsOnly, withoutComments, withoutCommentsAndStrings } from "./mask.ts";

/** One file of the project. */
export type Source = {
  /** Relative to the project's root, with `/`. */
  path: string;
  text: string;
  bytes: number;
  /** The text without comments. Blanked text keeps positions and lines, here and in the members below. */
  uncommented: string;
  /** The text with comments and strings blanked. */
  code: string;
  /** Only the comments. */
  comments: string;
};

/** All files by path. */
export type Tree = ReadonlyMap<string, Source>;

/** A file in the form that rules use. */
export function sourceOf(path: string, text: string, bytes = Buffer.byteLength(text)): Source {
  const isCode = /\.(ts|tsx|mjs)$/.test(path);
  return {
    path,
    text,
    bytes,
    uncommented: isCode ? withoutComments(text) : text,
    code: isCode ? withoutCommentsAndStrings(text) : text,
    comments: isCode ? commentsOnly(text) : "",
  };
}

/** Every file that git tracks or would add. Without git, every file except build products. */
export function readTree(root: string): Tree {
  const paths = (fromGit(root) ?? fromDisk(root)).sort();
  const files = paths.filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile() === true);
  return new Map(files.map((path) => [path, read(root, path)]));
}

function read(root: string, path: string): Source {
  const content = readFileSync(join(root, path));
  return sourceOf(path, content.toString("utf8"), content.length);
}

function fromGit(root: string): string[] | undefined {
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  try {
    const listed = execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return [...new Set(listed.split("\0").filter((path) => path !== ""))];
  } catch {
    return undefined; // no git, or a copy of the files without their history
  }
}

const notOurs = new Set(["node_modules", ".git", ".data", "dist", "artifacts"]);

function fromDisk(root: string, folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (notOurs.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? fromDisk(root, path) : [relative(root, path).replaceAll("\\", "/")];
  });
}

/** 1-based line of a position. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
