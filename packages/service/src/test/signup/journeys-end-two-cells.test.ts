// rest: repeats journeys-end on two databases
// alone: sets STORES for the process
/** Every test person completes every journey while people are stored in two databases. */
process.env.STORES = "two";
await import("./journeys-end.test.ts");
