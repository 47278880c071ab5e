import { OPERATIONS, type Operation } from "./openapi.ts";

/** Records the statuses of each declared operation, to find those never seen. */

/** Each operation with a pattern of its path. */
const PATTERNS = OPERATIONS.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/[.]/g, "\\.").replace(/\{[^}]+\}/g, "[^/]+")}$`),
}));

const seen = new Map<string, Set<number>>();

/** The operation of a request; a literal path has precedence over a path with ids. */
const operationOf = (method: string, path: string): Operation | undefined =>
  PATTERNS.filter(({ operation, pattern }) => operation.method === method && pattern.test(path))
    .map(({ operation }) => operation)
    .sort((left, right) => left.path.split("{").length - right.path.split("{").length)[0];

export function recordAnswer(method: string, path: string, status: number): void {
  const operation = operationOf(method, path.split("?")[0] ?? path);
  if (!operation) return;
  const statuses = seen.get(operation.operationId) ?? new Set<number>();
  seen.set(operation.operationId, statuses.add(status));
}

/** Declared statuses that were never returned, as `operationId status`. */
export const unseenStatuses = (): string[] =>
  OPERATIONS.flatMap(({ operationId, statuses }) =>
    statuses
      .filter((status) => !seen.get(operationId)?.has(status))
      .map((status) => `${operationId} ${status}`),
  );

/** Returned statuses that the operation does not declare, as `operationId status`. */
export const undeclaredStatuses = (): string[] =>
  OPERATIONS.flatMap(({ operationId, statuses }) =>
    [...(seen.get(operationId) ?? [])]
      .filter((status) => !statuses.includes(status) && status !== 405)
      .map((status) => `${operationId} ${status}`),
  );
