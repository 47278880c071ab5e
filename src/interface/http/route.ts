import { type OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { Context, Handler, MiddlewareHandler, TypedResponse } from "hono";
import { createMiddleware } from "hono/factory";
import type { StatusCode } from "hono/utils/http-status";
import type { JSONParsed } from "hono/utils/types";
import type { ErrorCode, ErrorStatus } from "#api/errors.ts";
import type { RouteFamily } from "#api/limits.ts";
import { uuidSchema } from "#api/schemas/primitives.ts";
import { strictQuery } from "#api/schemas/strict-body.ts";
import type { Scope } from "#api/scopes.ts";
import type { API_VERSION } from "#api/version.ts";
import type { Capability } from "#platform/bindings/capabilities.ts";
import { type Access, admit, apiKey, enterWorkspace, memberWith } from "./access.ts";
import { readKey } from "./authenticate.ts";
import type { AppEnv, WorkspaceAccess } from "./context.ts";
import { nameSubject } from "./context.ts";
import { idempotencyHeaders } from "./idempotency-header.ts";
import { readJsonBody, requireJsonType, requireJsonTypeOfBody } from "./json-body.ts";
import { requireCapability } from "./require-capability.ts";
import { repeatAfterMove } from "./workspace-database.ts";

export type HeaderDescriptions = Readonly<Record<string, object>>;

interface ResponseDeclaration {
  readonly description: string;
  /** Schema of the success envelope's `data`. */
  readonly resource?: z.ZodType;
  /** Media types of a binary body, sent instead of the resource or, if both are declared, as an alternative to it. */
  readonly bytes?: readonly string[];
  readonly headers?: HeaderDescriptions;
}

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
type Method = (typeof METHODS)[number];

/** A method and an OpenAPI path: `GET /api/v1/jobs/{jobId}`. */
type MethodAndPath = `${Uppercase<Method>} /${string}`;

function methodAndPath(route: MethodAndPath): Pick<RouteDeclaration, "method" | "path"> {
  const [verb, path = ""] = route.split(" ");
  const method = METHODS.find((one) => one.toUpperCase() === verb);
  if (method === undefined) throw new Error(`no method of a route: ${route}`);
  return { method, path };
}

/** One operation of the API: its address, callers, input and answers. */
export interface RouteDeclaration {
  readonly operationId: string;
  readonly method: Method;
  /** An OpenAPI path: `/api/v1/jobs/{jobId}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** The rate-limit window, or null for none; see `windowOf`. Without a key or session the handler counts. */
  readonly window?: RouteFamily | null;
  /** Capabilities that it requires in addition to those of `access`; 501 if one is not configured. */
  readonly needs?: readonly Capability[];
  /** Its own error codes. `src/interface/openapi/error-codes.ts` derives the others from the declaration. */
  readonly errors?: readonly ErrorCode[];
  /** Path parameters, unless all are UUIDs. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Whether undeclared query parameters are ignored: probes, providers and link trackers add their own. */
  readonly ignoresOtherParameters?: boolean;
  readonly headers?: z.ZodObject;
  /** A JSON body, required unless `isJsonOptional`. */
  readonly json?: z.ZodType;
  readonly isJsonOptional?: boolean;
  /** Media types of a required binary body, which the handler reads. */
  readonly bytes?: readonly string[];
  /** Runs before the body is read: counts callers without a key, so that a caller over its limit uploads nothing. */
  readonly beforeBody?: MiddlewareHandler<AppEnv>;
  /** Runs before the key is read: sets queries to send in one round trip with its lookup (`orderReads`). */
  readonly beforeKey?: MiddlewareHandler<AppEnv>;
  /** Requires an Idempotency-Key; the handler calls `withIdempotency`. */
  readonly isIdempotent?: boolean;
  /** Accepts `Prefer: wait`; the handler calls `showJob`. */
  readonly takesPreferredWait?: boolean;
  /** Accepts X-D1-Bookmark; the handler calls `readNearby`. */
  readonly isNearbyRead?: boolean;
  /** Description of If-None-Match if the handler answers 304. */
  readonly ifNoneMatch?: string;
  readonly responses: Readonly<Record<number, ResponseDeclaration>>;
  /** Headers of its error responses by status, in addition to the derived headers. */
  readonly failureHeaders?: Readonly<Partial<Record<ErrorStatus, HeaderDescriptions>>>;
}

/** Declares a success in its envelope. */
export const success = <T extends z.ZodType>(
  resource: T,
  description: string,
  headers: HeaderDescriptions = {},
) => ({
  description,
  resource,
  headers,
});

/** Headers of a 202: where to poll, and when. */
export const pollHeaders = (what: string): HeaderDescriptions => ({
  Location: { description: `Path of the ${what}.`, schema: { type: "string" } },
  "Retry-After": {
    description: "Seconds until the first poll.",
    schema: { type: "integer", minimum: 1 },
  },
});

type ParameterNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

interface SuccessBody<T> {
  ok: true;
  data: T;
  meta: { apiVersion: typeof API_VERSION; requestId: string };
}

/** The responses that a handler may return: the declared statuses with their resources. */
type DeclaredResponse<R> = {
  [S in keyof R]: R[S] extends { resource: infer T extends z.ZodType }
    ?
        | TypedResponse<JSONParsed<SuccessBody<z.output<T>>>, S & StatusCode, "json">
        | (R[S] extends { bytes: readonly string[] } ? TypedResponse<string, S & StatusCode, "text"> : never)
    : Response;
}[keyof R];

type Optional<S> = S | undefined;
type OutputOf<S> = S extends z.ZodType ? z.output<S> : never;

/** The validated input of a request. */
interface Valid<Path, Params, Query, Headers, Json> {
  param: Params extends z.ZodType ? z.output<Params> : Record<ParameterNames<Path>, string>;
  query: OutputOf<Query>;
  header: OutputOf<Headers>;
  json: OutputOf<Json>;
}

/** The validated input and, on routes for keys and members, the caller's workspace. */
type RequestInput<Path, Params, Query, Headers, Json> = Valid<Path, Params, Query, Headers, Json> &
  WorkspaceAccess;

/** The schemas of a declaration, and the handler, whose types follow from them. */
interface TypedParts<Path, Params, Query, Headers, Json, Responses> {
  readonly params?: Params;
  readonly query?: Query;
  readonly headers?: Headers;
  readonly json?: Json;
  readonly responses: Responses;
  readonly handler: (
    c: Context<AppEnv>,
    input: RequestInput<Path, Params, Query, Headers, Json>,
  ) => DeclaredResponse<Responses> | Promise<DeclaredResponse<Responses>>;
}

export interface Route {
  readonly declaration: RouteDeclaration;
  readonly handler: Handler<AppEnv>;
}

/** Passes the validated input to a handler. */
const withInput =
  <Path, Params, Query, Headers, Json, Answer>(
    handler: (c: Context<AppEnv>, input: RequestInput<Path, Params, Query, Headers, Json>) => Answer,
  ) =>
  (c: Context<AppEnv, string, { in: object; out: Valid<Path, Params, Query, Headers, Json> }>): Answer =>
    handler(c, {
      ...c.get("workspace"),
      param: c.req.valid("param"),
      query: c.req.valid("query"),
      header: c.req.valid("header"),
      json: c.req.valid("json"),
    });

/** Declares an operation; its handler's input and responses are checked against the declaration. */
export function defineRoute<
  const Path extends MethodAndPath,
  const Responses extends RouteDeclaration["responses"],
  Params extends Optional<z.ZodObject> = undefined,
  Query extends Optional<z.ZodObject> = undefined,
  Headers extends Optional<z.ZodObject> = undefined,
  Json extends Optional<z.ZodType> = undefined,
>({
  route,
  handler,
  ...declaration
}: Omit<RouteDeclaration, "method" | "path"> & { readonly route: Path } & TypedParts<
    Path,
    Params,
    Query,
    Headers,
    Json,
    Responses
  >): Route {
  return { declaration: { ...declaration, ...methodAndPath(route) }, handler: withInput(handler) };
}

interface OnePath<Path>
  extends Omit<RouteDeclaration, "access" | "window" | "responses" | "method" | "path"> {
  readonly route: Path;
}

/**
 * Declares one operation on two paths: for an API key with the scope, and for a member whose role covers it. The
 * handler gets the caller's workspace.
 */
export function defineTwins<
  const Path extends MethodAndPath,
  const Responses extends RouteDeclaration["responses"],
  Query extends Optional<z.ZodObject> = undefined,
  Json extends Optional<z.ZodType> = undefined,
>({
  scope,
  isLiveOnly = false,
  forKey,
  forMember,
  handler,
  ...shared
}: Pick<RouteDeclaration, "description" | "window" | "needs" | "errors" | "query" | "json" | "responses"> & {
  readonly scope: Scope;
  /** A test key gets 403 TEST_KEY_REFUSED. */
  readonly isLiveOnly?: boolean;
  readonly forKey: OnePath<Path>;
  readonly forMember: OnePath<MethodAndPath>;
} & Omit<TypedParts<Path, undefined, Query, undefined, Json, Responses>, "params" | "headers">): readonly [
  Route,
  Route,
] {
  const twin = ({ route, ...own }: OnePath<MethodAndPath>, access: Access): Route => ({
    declaration: { ...shared, ...own, ...methodAndPath(route), access },
    handler: withInput(handler),
  });
  return [twin(forKey, apiKey(scope, { isLiveOnly })), twin(forMember, memberWith(scope))];
}

/** The operation's rate-limit window: the declared one, otherwise `read` or `write`; null on a public path. */
export function windowOf({ access, method, window }: RouteDeclaration): RouteFamily | null {
  if (window !== undefined) return window;
  if (access.kind === "public") return null;
  return method === "get" ? "read" : "write";
}

/** The schema of the path's parameters, by default UUIDs; undefined for a path without parameters. */
export function pathParameters({ path, params }: RouteDeclaration): z.ZodObject | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, uuidSchema] as const);
  return params ?? (names.length === 0 ? undefined : z.object(Object.fromEntries(names)));
}

const nameOperation = ({ operationId, errors = [] }: RouteDeclaration) =>
  createMiddleware<AppEnv>(async (c, next) => {
    c.set("operation", operationId);
    if (errors.includes("PREVIEW_UNAVAILABLE")) c.set("busyCode", "PREVIEW_UNAVAILABLE");
    nameSubject(c, c.req.param());
    await next();
  });

const requireCapabilities = (needs: readonly Capability[]) =>
  createMiddleware<AppEnv>(async (c, next) => {
    for (const capability of needs) requireCapability(c, capability);
    await next();
  });

/**
 * Adds an operation to the application. All operations have the same order of steps: body → access → rate limit →
 * capabilities → body type → validation → workspace of a session → handler.
 */
export function addRoute(app: OpenAPIHono<AppEnv>, { declaration, handler }: Route): void {
  const { method, path, access, needs = [], json } = declaration;
  const query = declaration.ignoresOtherParameters
    ? declaration.query
    : strictQuery(declaration.query?.shape ?? {});
  const { isJsonOptional = false } = declaration;
  const headers = declaration.isIdempotent ? idempotencyHeaders : declaration.headers;
  const params = pathParameters(declaration);
  const route: RouteConfig = {
    method,
    path,
    // src/interface/openapi/ generates the document from the declarations.
    hide: true,
    middleware: [
      nameOperation(declaration),
      ...(declaration.beforeBody ? [declaration.beforeBody] : []),
      ...(json ? [readJsonBody] : []),
      ...(declaration.beforeKey ? [declaration.beforeKey] : []),
      ...admit(access, windowOf(declaration)),
      requireCapabilities(needs),
      ...(json ? [isJsonOptional ? requireJsonTypeOfBody : requireJsonType] : []),
    ],
    request: {
      ...(query && { query }),
      ...(params && { params }),
      ...(headers && { headers }),
      ...(json && { body: { required: !isJsonOptional, content: { "application/json": { schema: json } } } }),
    },
    responses: {},
  };
  app.openapi(route, async (c, next) => {
    await enterWorkspace(c, access);
    const answer = async () => handler(c, next);
    // No retry here: a binary body is consumed by now, so only the client can send it again.
    if (declaration.bytes !== undefined) return answer();
    const enter = () => (access.kind === "api-key" ? readKey(c, "never") : enterWorkspace(c, access));
    return repeatAfterMove(c, enter, answer);
  });
}
