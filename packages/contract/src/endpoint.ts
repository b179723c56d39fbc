import type { Static, TObject, TSchema } from "typebox";
import type { OperatorRole } from "./console/role.ts";
import type { MemberRole } from "./dashboard/member.ts";
import type { ErrorCode } from "./errors.ts";

/** Who may call: a brand with its key, the sandbox's control rule, a signed-in member, the operator, or anyone. */
export type EndpointAuth = "brandKey" | "sandboxControl" | "member" | "operator" | "none";

type Shape = TSchema | undefined;
type SuccessStatus = 200 | 201 | 202 | 204 | 302;
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
type Method = (typeof methods)[number];

/** What the operations of one group have in common. Each operation can declare other errors and refusals. */
export type EndpointGroup = {
  tag: string;
  auth: EndpointAuth;
  /** The lowest role that may call. Only with `auth: "member"`. */
  role?: MemberRole;
  /** The lowest role that may call. Only with `auth: "operator"`. */
  operatorRole?: OperatorRole;
  /** Scripts on any site may read the response. Such calls use no credentials. */
  cors?: boolean;
  /** Error codes. The default is ERR001 for an operation with an input, and none for the others. */
  errors?: readonly ErrorCode[];
  /** Further error statuses without an error code. */
  refusals?: readonly (400 | 403 | 404 | 409 | 413 | 415 | 503)[];
};

/** A member of an operation's path or body. A test checks that the operation declares it. */
type Named = `params.${string}` | `body.${string}`;

/**
 * How a call names whom or what it is about. The service needs it to find where their data is stored. `person`: by the
 * body's `phone`, else by the object of `identityUuid`, else of `verificationUuid`. `recipient`: by the body's `phone`,
 * else by `email`. Otherwise by one member: a phone, the uuid of an object, a token, or an id that an issuer chose.
 */
export type About = "person" | "recipient" | { phone: Named } | { uuid: Named } | { token: Named } | { issued: Named };

/** An API operation as the contract declares it. */
type Declaration<
  Params extends TObject | undefined = TObject | undefined,
  Query extends TObject | undefined = TObject | undefined,
  Body extends Shape = Shape,
  Reply extends Shape = Shape,
  Subject extends About | undefined = About | undefined,
> = {
  summary: string;
  description?: string;
  /** Set if the operation uses what is stored about a person whom the call itself names, rather than its session. */
  about?: Subject;
  params?: Params;
  query?: Query;
  body?: Body;
  /** A missing or empty body counts as `{}`. */
  bodyOptional?: boolean;
  /** Content types of a body of raw bytes. The handler reads it from the request. */
  bytes?: readonly string[];
  /** Largest accepted body, in bytes, if it differs from the default of `bodyBytesMax`. */
  bodyLimit?: number;
  /** Maximum number of values in an accepted body, if it differs from the default (`bodyValuesMax`). */
  bodyValues?: number;
  reply: Reply;
  /** Another media type of the reply, for callers whose `Accept` prefers it. */
  otherReply?: { type: string; description: string; schema: TSchema; example: unknown };
  /** Success status, if it is not 200. */
  status?: SuccessStatus;
  /** Whether a GET uses something up, such as a one-time token. HEAD then gets a 405. */
  usesUp?: boolean;
  /** Set if some calls get a 302 instead. The text says when, and what `Location` contains. */
  redirects?: string;
  /** Further headers of that 302, by name: what each one says. */
  redirectHeaders?: Readonly<Record<string, string>>;
  example?: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown; reply: unknown };
} & Pick<EndpointGroup, "errors" | "refusals">;

/** One API operation. Validation, OpenAPI, handler types and the client all use this definition. */
export type Endpoint<
  Params extends TObject | undefined = TObject | undefined,
  Query extends TObject | undefined = TObject | undefined,
  Body extends Shape = Shape,
  Reply extends Shape = Shape,
  Subject extends About | undefined = About | undefined,
> = EndpointGroup &
  Declaration<Params, Query, Body, Reply, Subject> & {
    id: string;
    method: Method;
    /** Path under the service's URL, with `:name` parameters. */
    path: string;
    status: SuccessStatus;
    errors: readonly ErrorCode[];
  };

/** Largest body, in bytes, of a call that the service authenticates by API key before it reads the body. */
export const keyedBodyBytesMax = 1_048_576;
/** Largest body of every other call, in bytes. It is small because anyone can send one. */
export const openBodyBytesMax = 16_384;

/** The largest body that an operation accepts, in bytes. */
export function bodyBytesMax({ auth, bodyLimit }: Endpoint): number {
  if (bodyLimit !== undefined) return bodyLimit;
  return auth === "brandKey" || auth === "sandboxControl" ? keyedBodyBytesMax : openBodyBytesMax;
}

/** Maximum number of values in a body with up to 10,000 network rules. */
export const rulesBodyValuesMax = 150_000;
/** Maximum number of values in every other body. Many tiny values cost much more time than their size suggests. */
export const openBodyValuesMax = 50_000;

/** The number of values (members, items, objects, and arrays) that an operation accepts in a body. */
export function bodyValuesMax({ auth, bodyValues }: Endpoint): number {
  return bodyValues ?? (auth === "sandboxControl" ? rulesBodyValuesMax : openBodyValuesMax);
}

/**
 * Returns the function that declares the operations of a group. Its arguments are the operation's id, its method and
 * path (`GET /1-click/:uuid`), and the rest of its declaration.
 */
export function endpointsOf(group: EndpointGroup) {
  return <
    Params extends TObject | undefined = undefined,
    Query extends TObject | undefined = undefined,
    Body extends Shape = undefined,
    Reply extends Shape = undefined,
    const Subject extends About | undefined = undefined,
  >(
    id: string,
    route: `${Method} /${string}`,
    declared: Declaration<Params, Query, Body, Reply, Subject>,
  ): Endpoint<Params, Query, Body, Reply, Subject> => {
    const method = methods.find((one) => route.startsWith(`${one} `));
    if (method === undefined) throw new Error(`${route} begins with no method`);
    const { params, query, body, bytes } = declared;
    const hasInput = [params, query, body, bytes].some((part) => part !== undefined);
    const errors: readonly ErrorCode[] = hasInput ? ["ERR001"] : [];
    return { errors, status: 200, ...group, ...declared, id, method, path: route.slice(method.length + 1) };
  };
}

type Of<S> = S extends TSchema ? Static<S> : undefined;

export type Input<E> =
  E extends Endpoint<infer P, infer Q, infer B, Shape> ? { params: Of<P>; query: Of<Q>; body: Of<B> } : never;
export type Output<E> = E extends Endpoint<TObject | undefined, TObject | undefined, Shape, infer R> ? Of<R> : never;
