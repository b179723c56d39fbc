/** A brand's webhook receiver on this machine. It records the requests. */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { after } from "node:test";

export type Received = { headers: IncomingHttpHeaders; body: string };

/** `statusOf` chooses the status of each answer by its number, from 1. By default `answer` has it. */
export async function hookReceiver(statusOf?: (count: number) => number) {
  const received: Received[] = [];
  /** What the receiver answers. A test can change it. */
  const answer = { status: 204, text: "" };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      const status = statusOf?.(received.length) ?? answer.status;
      response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end(answer.text);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  after(() => server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { received, answer, url: `http://127.0.0.1:${port}/hook` };
}

export function signatureUnder(secret: string, timestamp: string | string[] | undefined, body: string): string {
  return `v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
}
