import { env as realEnv } from "cloudflare:workers";
import { WINDOW_NAMES, windowVariable } from "#api/limits.ts";
import type { Env } from "#platform/bindings/env.ts";
import { bindingOf } from "#platform/databases/shard-name.ts";
import { answeredBy, isObject } from "../../bench/workers/answered-by.ts";
import { boundDatabases } from "../support/homes.ts";
import type { Gate } from "./gate.ts";

/** The worker's bindings, with every await on them passed through a gate. */

/** The real statement behind each gated one, with its SQL. D1's `batch` accepts only real statements. */
const realStatements = new WeakMap<object, { readonly statement: unknown; readonly sql: string }>();

const rowsWritten = (result: unknown): number => {
  const meta = isObject(result) ? Reflect.get(result, "meta") : null;
  const rows = isObject(meta) ? Reflect.get(meta, "rows_written") : 0;
  return typeof rows === "number" ? rows : 0;
};

/** Records a call's writes; only `run`, `all` and `batch` return them. */
function noteWrites(gate: Gate, sqls: readonly string[], results: readonly unknown[]): void {
  const written = sqls
    .map((sql, at) => ({ sql, rows: rowsWritten(results[at]) }))
    .filter(({ rows }) => rows > 0);
  if (written.length > 0) gate.written.push(written);
}

const STATEMENT_CALLS = ["first", "run", "all", "raw"];
const BUCKET_CALLS = ["head", "get", "put", "delete", "list", "createMultipartUpload"];
const MULTIPART_CALLS = ["uploadPart", "complete", "abort"];
const BODY_CALLS = ["arrayBuffer", "bytes", "text", "json", "blob"];

function gatedStatement(statement: object, sql: string, gate: Gate): object {
  const gated = answeredBy(statement, (method, _, proceed) => {
    if (STATEMENT_CALLS.includes(method)) {
      gate.statements += 1;
      return gate.pass(`D1 ${method}`, async () => {
        const result = await proceed();
        noteWrites(gate, [sql], [result]);
        return result;
      });
    }
    const result = proceed();
    return method === "bind" && isObject(result) ? gatedStatement(result, sql, gate) : result;
  });
  realStatements.set(gated, { statement, sql });
  return gated;
}

/** A gated database or session. */
export const gatedDatabase = <T extends object>(database: T, gate: Gate): T =>
  answeredBy(database, (method, parameters, proceed) => {
    if (method === "batch") {
      const statements = Array.isArray(parameters[0]) ? parameters[0] : [];
      gate.statements += statements.length;
      const known = statements.map((statement) => realStatements.get(statement));
      const real = statements.map((statement, at) => known[at]?.statement ?? statement);
      return gate.pass("D1 batch", async () => {
        const results = await proceed([real]);
        const sqls = known.map((each) => each?.sql ?? "");
        noteWrites(gate, sqls, Array.isArray(results) ? results : []);
        return results;
      });
    }
    const result = proceed();
    if (method === "prepare" && isObject(result)) return gatedStatement(result, String(parameters[0]), gate);
    return method === "withSession" && isObject(result) ? gatedDatabase(result, gate) : result;
  });

/** Reads of a stored object's body are gated too, because the connection may break in the middle of a body. */
const gatedBucket = (bucket: R2Bucket, gate: Gate): R2Bucket =>
  answeredBy(bucket, (method, _, proceed) => {
    if (!BUCKET_CALLS.includes(method)) return proceed();
    return gate.pass(`R2 ${method}`, async () => {
      const result = await proceed();
      if (method === "createMultipartUpload" && isObject(result)) {
        return answeredBy(result, (call, _parameters, ask) =>
          MULTIPART_CALLS.includes(call) ? gate.pass(`R2 ${call}`, async () => ask()) : ask(),
        );
      }
      if (method !== "get" || !isObject(result)) return result;
      const gated = answeredBy(result, (reading, _parameters, read) =>
        BODY_CALLS.includes(reading) ? gate.pass(`R2 body ${reading}`, async () => read()) : read(),
      );
      return withGatedBody(gated, gate);
    });
  });

/** A stored object whose stream passes the gate, and breaks off if the gate throws. */
const withGatedBody = (object: object, gate: Gate): object =>
  new Proxy(object, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      return name === "body" && member instanceof ReadableStream ? gatedStream(member, gate) : member;
    },
  });

function gatedStream(stream: ReadableStream<Uint8Array>, gate: Gate): ReadableStream<Uint8Array> {
  let opened: Promise<ReadableStreamDefaultReader<Uint8Array>> | null = null;
  const open = () => {
    opened ??= gate.pass("R2 body", async () => stream.getReader());
    return opened;
  };
  return new ReadableStream({
    type: "bytes",
    async pull(controller) {
      const { value, done } = await (await open()).read();
      if (!done) return controller.enqueue(value);
      controller.close();
      controller.byobRequest?.respond(0);
    },
    cancel: (reason) => stream.cancel(reason),
  });
}

const gatedNamespace = <T extends object>(namespace: T, name: string, gate: Gate): T =>
  answeredBy(namespace, (method, _, proceed) => {
    const result = proceed();
    if (method !== "get" || !isObject(result)) return result;
    return answeredBy(result, (call, _parameters, ask) => gate.pass(`${name} ${call}`, async () => ask()));
  });

/** A message in the queue. */
export interface HeldMessage {
  readonly id: string;
  readonly body: unknown;
}

/** A queue that holds its messages until the test delivers them. */
const heldQueue = (queue: Queue, hold: (body: unknown) => void, gate: Gate): Queue =>
  answeredBy(queue, (method, parameters) =>
    gate.pass(`queue ${method}`, async () => {
      const sent = Array.isArray(parameters[0]) ? parameters[0] : [{ body: parameters[0] }];
      for (const { body } of sent) hold(body);
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    }),
  );

/** Rate limits so high that no test reaches them by accident. */
const WIDE_WINDOWS = Object.fromEntries(WINDOW_NAMES.map((name) => [windowVariable(name), "1000000"]));

/** The queues, by the suffix of their names. */
export type QueueName = "render" | "videos" | "deliveries" | "imports" | "mail" | "sweeps";

/** An environment whose awaits all pass the gate, and whose queues hold their messages. */
export const gatedEnv = (gate: Gate, hold: (queue: QueueName, body: unknown) => void): Env => ({
  ...realEnv,
  ...WIDE_WINDOWS,
  DB: gatedDatabase(realEnv.DB, gate),
  ...Object.fromEntries(
    [...boundDatabases().shards].map(([name, db]) => [bindingOf(name), gatedDatabase(db, gate)]),
  ),
  BUCKET: gatedBucket(realEnv.BUCKET, gate),
  RENDER_QUEUE: heldQueue(realEnv.RENDER_QUEUE, (body) => hold("render", body), gate),
  VIDEO_QUEUE: heldQueue(realEnv.VIDEO_QUEUE, (body) => hold("videos", body), gate),
  DELIVERY_QUEUE: heldQueue(realEnv.DELIVERY_QUEUE, (body) => hold("deliveries", body), gate),
  IMPORT_QUEUE: heldQueue(realEnv.IMPORT_QUEUE, (body) => hold("imports", body), gate),
  MAIL_QUEUE: heldQueue(realEnv.MAIL_QUEUE, (body) => hold("mail", body), gate),
  SWEEP_QUEUE: heldQueue(realEnv.SWEEP_QUEUE, (body) => hold("sweeps", body), gate),
  RATE_LIMIT_WINDOW: gatedNamespace(realEnv.RATE_LIMIT_WINDOW, "window", gate),
  IDEMPOTENCY_LOCK: gatedNamespace(realEnv.IDEMPOTENCY_LOCK, "lock", gate),
});
