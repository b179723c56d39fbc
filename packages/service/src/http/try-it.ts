import type { FastifyInstance, FastifyRequest } from "fastify";
import { refuse } from "../domain/failure.ts";

/** The path to which the API reference sends calls that a reader tries. */
const tryPath = "/docs/try";
/** The header of the demo key. A key from a browser in `Authorization` would count as leaked. */
const keyHeader = "x-demo-key";
const passedOn = ["accept", "content-type", "host", "idempotency-key"] as const;
const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"] as const;

/**
 * Lets the API reference call the sandbox with the public keys of the demo brands, from this origin only. Browsers
 * cannot use any other key.
 */
export function routesTryIt(app: FastifyInstance, publicKeys: ReadonlySet<string>): void {
  app.get(tryPath, async (_request, reply) => reply.header("cache-control", "no-store").status(204).send());
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    for (const method of methods)
      scope.route<{ Params: { "*": string }; Body: Buffer | undefined }>({
        method,
        url: `${tryPath}/*`,
        async handler(request, reply) {
          const answer = await app.inject({
            method,
            url: request.url.slice(tryPath.length),
            remoteAddress: request.ip,
            headers: headersFor(request, publicKeys),
            ...(request.body === undefined ? {} : { payload: request.body }),
          });
          const { connection: _, "transfer-encoding": __, ...headers } = answer.headers;
          return reply.status(answer.statusCode).headers(headers).send(answer.rawPayload);
        },
      });
  });
}

function headersFor(request: FastifyRequest, publicKeys: ReadonlySet<string>): Record<string, string> {
  const { headers } = request;
  if (headers["sec-fetch-site"] !== "same-origin" || request.url.startsWith(`${tryPath}${tryPath}`))
    throw refuse(403, "Only the API reference on this address can use this path.");
  // A proxy's headers show that the request is not local. The forwarded call would lose them.
  if (Object.keys(headers).some((name) => name === "forwarded" || name.startsWith("x-forwarded-")))
    throw refuse(403, "The API reference can try calls only on the machine that runs the sandbox.");
  const key = String(headers[keyHeader] ?? "");
  if (key !== "" && !publicKeys.has(key))
    throw refuse(403, "The API reference accepts only the keys of the demo brands. Keep other keys on servers.");
  const passed = passedOn.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  return { ...Object.fromEntries(passed), ...(key === "" ? {} : { authorization: key }) };
}
