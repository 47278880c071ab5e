import type { Env } from "#platform/bindings/env.ts";
import { OPERATED_PATH, OPERATOR_TOKEN, readOperation } from "./operation.ts";

/**
 * Gives operators' commands access to a local worker's databases. Another process at the same SQLite files would make
 * the worker's writes fail with SQLITE_BUSY. Returns null for other requests. Only the entry modules of local workers
 * include this function.
 */
export async function operate(request: Request, env: Env): Promise<Response | null> {
  if (new URL(request.url).pathname !== OPERATED_PATH) return null;
  const bindings = new Map<string, unknown>(Object.entries(env));
  const token = bindings.get(OPERATOR_TOKEN);
  if (token === undefined || request.headers.get("Authorization") !== `Bearer ${token}`) {
    return new Response("not the operator", { status: 403 });
  }
  const { binding, statements } = readOperation(await request.json());
  const db = bindings.get(binding);
  if (!isDatabase(db)) return new Response("no such database", { status: 404 });
  try {
    return Response.json(
      await db.batch(statements.map(({ sql, values }) => db.prepare(sql).bind(...values))),
    );
  } catch (thrown) {
    return new Response(thrown instanceof Error ? thrown.message : String(thrown), { status: 409 });
  }
}

const isDatabase = (binding: unknown): binding is D1Database =>
  typeof binding === "object" && binding !== null && "prepare" in binding && "batch" in binding;
