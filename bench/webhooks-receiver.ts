/** Two receivers on this machine: one answers 204 to every request, the other accepts requests and never answers. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { quantile } from "./timed.ts";

process.on("disconnect", () => process.exit());
let arrived: number[] = [];
const url = await listening((request, response) => {
  request.resume().on("end", () => {
    arrived.push(Date.now());
    response.writeHead(204).end();
  });
});
const deafUrl = await listening((request) => request.resume());
process.on("message", () => {
  process.send?.({ count: arrived.length, p99At: quantile(arrived, 0.99) });
  arrived = [];
});
process.send?.({ url, deafUrl });

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}
