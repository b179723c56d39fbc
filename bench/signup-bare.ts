/** The upper bound for Node: parses the same body, looks up the same key, and sends an answer of the same length. */
import { hash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export type Bare = { keys: string[]; answers: { POST: unknown; GET: unknown } };

process.once("message", ({ keys, answers }: Bare) => {
  const owners = new Map(keys.map((key) => [hash("sha256", key, "base64"), { key }]));
  const server = createServer((request, response) => {
    const owner = owners.get(hash("sha256", request.headers.authorization ?? "", "base64"));
    if (owner === undefined) return void response.writeHead(401).end();
    if (request.method !== "POST") return send(response, 200, answers.GET);
    read(request, (body) => send(response, "phone" in body ? 201 : 400, answers.POST));
  });
  server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
});

function read(request: IncomingMessage, done: (body: object) => void): void {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => done(JSON.parse(Buffer.concat(parts).toString())));
}

function send(response: ServerResponse, status: number, answer: unknown): void {
  const text = JSON.stringify(answer);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}
