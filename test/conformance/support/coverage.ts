import { readFileSync } from "node:fs";

/** Remembers which declared operation answered which status, so that a status nobody has seen is found. */

interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly statuses: readonly number[];
}

interface OpenApiDocument {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { operationId?: string; responses: Record<string, unknown> }>>>
  >;
}

const document: OpenApiDocument = JSON.parse(readFileSync("schema/openapi.json", "utf8"));

const METHODS = ["get", "put", "post", "delete"];

/** Every operation that the OpenAPI document declares. */
export const OPERATIONS: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => METHODS.includes(method))
    .map(([method, declared]) => ({
      operationId: declared.operationId ?? `${method} ${path}`,
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{[^}]+\}/g, "[^/]+")}$`),
      statuses: Object.keys(declared.responses).map(Number),
    })),
);

const seen = new Map<string, Set<number>>();

/** The operation that serves a request; a literal path wins over one with ids. */
const operationOf = (method: string, path: string): Operation | undefined =>
  OPERATIONS.filter((operation) => operation.method === method && operation.pattern.test(path)).sort(
    (left, right) => left.path.split("{").length - right.path.split("{").length,
  )[0];

export function recordAnswer(method: string, path: string, status: number): void {
  const operation = operationOf(method, path.split("?")[0] ?? path);
  if (!operation) return;
  const statuses = seen.get(operation.operationId) ?? new Set<number>();
  seen.set(operation.operationId, statuses.add(status));
}

/** Declared statuses that no answer had, as `operationId status`. */
export const unseenStatuses = (): string[] =>
  OPERATIONS.flatMap(({ operationId, statuses }) =>
    statuses
      .filter((status) => !seen.get(operationId)?.has(status))
      .map((status) => `${operationId} ${status}`),
  );

/** Statuses that an answer had although its operation does not declare them. */
export const undeclaredStatuses = (): string[] =>
  OPERATIONS.flatMap(({ operationId, statuses }) =>
    [...(seen.get(operationId) ?? [])]
      .filter((status) => !statuses.includes(status) && status !== 405)
      .map((status) => `${operationId} ${status}`),
  );
