import { readFileSync } from "node:fs";
import { read271 } from "../packages/service/src/domain/health/x12/eligibility.ts";

/** Parses one 271 in the heap with which node was started, and prints the bytes used outside the heap. */
const [, , file = ""] = process.argv;
const outside = () => process.memoryUsage().external;
const bytes = readFileSync(file);
const before = outside();
const { eligibility } = read271(bytes);
const taken = outside() - before;
if (eligibility.benefits === undefined) throw new Error("nothing was read");
process.stdout.write(`${taken}\n`);
