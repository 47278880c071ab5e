import { AsyncLocalStorage } from "node:async_hooks";
import { answeredBy, isObject } from "./answered-by.ts";

/** The worker's bindings with a delay before each call, which simulates network latency. */

/** Delay of a call in milliseconds. */
export const WAITS_MS = { d1: 25, object: 5, r2: 10 } as const;

type BindingKind = keyof typeof WAITS_MS;

/** Connections that one invocation may have open at once: developers.cloudflare.com/workers/platform/limits. */
const CONNECTIONS_MAX = 6;

/** Connections of one invocation: the number of open ones, and the calls that wait for a connection. */
interface Connections {
  open: number;
  readonly waiting: (() => void)[];
}

const invocations = new AsyncLocalStorage<Connections>();

/** Runs an invocation with at most six concurrent calls. */
export const inInvocation = <T>(work: () => T): T => invocations.run({ open: 0, waiting: [] }, work);

/** Makes a call once the invocation has a free connection. */
async function withConnection<T>(connections: Connections, call: () => Promise<T>): Promise<T> {
  if (connections.open < CONNECTIONS_MAX) connections.open += 1;
  else await new Promise<void>((resolve) => connections.waiting.push(resolve));
  try {
    return await call();
  } finally {
    const next = connections.waiting.shift();
    if (next === undefined) connections.open -= 1;
    else next();
  }
}

async function afterWait<T>(kind: BindingKind, call: () => T): Promise<Awaited<T>> {
  const made = async (): Promise<Awaited<T>> => {
    await new Promise((resolve) => setTimeout(resolve, WAITS_MS[kind]));
    return await call();
  };
  const connections = invocations.getStore();
  return connections === undefined ? made() : withConnection(connections, made);
}

/** The real statement of each delayed statement. A batch accepts only real statements. */
const realStatements = new WeakMap<object, unknown>();

const STATEMENT_CALLS = ["first", "run", "all", "raw"];
const BUCKET_CALLS = ["head", "get", "put", "delete", "list", "createMultipartUpload"];

function waitingStatement(statement: object): object {
  const waiting = answeredBy(statement, (method, _, proceed) => {
    if (STATEMENT_CALLS.includes(method)) return afterWait("d1", proceed);
    const result = proceed();
    return method === "bind" && isObject(result) ? waitingStatement(result) : result;
  });
  realStatements.set(waiting, statement);
  return waiting;
}

/** Delays a database or a session. A batch is one call. */
const waitingDatabase = <T extends object>(database: T): T =>
  answeredBy(database, (method, parameters, proceed) => {
    if (method === "batch") {
      const statements = Array.isArray(parameters[0]) ? parameters[0] : [];
      const real = statements.map((statement) => realStatements.get(statement) ?? statement);
      return afterWait("d1", () => proceed([real]));
    }
    const result = proceed();
    if (method === "prepare" && isObject(result)) return waitingStatement(result);
    return method === "withSession" && isObject(result) ? waitingDatabase(result) : result;
  });

/** Delays the calls of a bucket, but not the reading of an object's body. */
const waitingBucket = <T extends object>(bucket: T): T =>
  answeredBy(bucket, (method, _, proceed) =>
    BUCKET_CALLS.includes(method) ? afterWait("r2", proceed) : proceed(),
  );

const waitingNamespace = <T extends object>(namespace: T): T =>
  answeredBy(namespace, (method, _, proceed) => {
    const result = proceed();
    if (method !== "get" || !isObject(result)) return result;
    return answeredBy(result, (_call, _parameters, ask) => afterWait("object", ask));
  });

/** Delaying wrappers by binding name in wrangler.toml, except for shards. Other bindings are unchanged. */
const BINDINGS: Readonly<Record<string, (binding: object) => object>> = {
  DB: waitingDatabase,
  BUCKET: waitingBucket,
  RATE_LIMIT_WINDOW: waitingNamespace,
  IDEMPOTENCY_LOCK: waitingNamespace,
  PREVIEW_QUOTA: waitingNamespace,
};

const SHARD = /^DB_\d\d$/;

/** The environment with delayed databases, bucket and Durable Object namespaces. */
export function waitingEnv<Env extends object>(env: Env): Env {
  const bindings = Object.entries(env).map(([name, binding]: [string, unknown]) => {
    const wrap = SHARD.test(name) ? waitingDatabase : BINDINGS[name];
    return [name, wrap !== undefined && isObject(binding) ? wrap(binding) : binding];
  });
  return { ...env, ...Object.fromEntries(bindings) };
}
