import type { FastifyReply, FastifyRequest } from "fastify";

/** `httpOnly`: false if the page's script reads the cookie. */
type CookieSettings = { name: string; url: string; lifeMs: number; httpOnly?: boolean };

/**
 * The cookie of a session, which no script and no other site can use. Over https, `__Host-` guarantees that this host
 * alone set it.
 */
export function sessionCookie({ name, url, lifeMs, httpOnly = true }: CookieSettings) {
  const secure = url.startsWith("https:");
  const fullName = secure ? `__Host-${name}` : name;
  const write = (reply: FastifyReply, token: string, maxAge: number) =>
    void reply.setCookie(fullName, token, { path: "/", maxAge, httpOnly, secure, sameSite: "strict" });
  return {
    tokenOf: (request: FastifyRequest) => request.cookies[fullName] ?? null,
    set: (reply: FastifyReply, token: string) => write(reply, token, lifeMs / 1000),
    clear: (reply: FastifyReply) => write(reply, "", 0),
  };
}
