#!/usr/bin/env node
// `countersign <command>`: the service's command line on the pinned Node, whatever Node the shell found first.
import process from "node:process";
import { runServiceCli } from "../../../tools/bootstrap.mjs";

await runServiceCli(process.argv.slice(2));
