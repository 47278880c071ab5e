import { readFileSync } from "node:fs";

interface Described {
  readonly operationId?: string;
  readonly security?: readonly object[];
  readonly requestBody?: unknown;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<
    // biome-ignore lint/suspicious/noExplicitAny: examples are compared member by member, whatever they hold.
    Record<string, { readonly content?: Readonly<Record<string, { readonly example?: any }>> }>
  >;
}

/** An operation of the OpenAPI document. */
export interface Operation extends Described {
  /** For example `GET /api/v1/balance`. */
  readonly name: string;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly statuses: readonly number[];
  readonly needsSession: boolean;
  readonly takesBody: boolean;
}

const document: { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> } =
  JSON.parse(readFileSync("schema/openapi.json", "utf8"));

const METHODS = ["get", "put", "post", "patch", "delete"];

/** Every operation of the OpenAPI document. */
export const OPERATIONS: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => METHODS.includes(method))
    .map(([method, described]) => ({
      ...described,
      name: `${method.toUpperCase()} ${path}`,
      operationId: described.operationId ?? `${method} ${path}`,
      method: method.toUpperCase(),
      path,
      statuses: Object.keys(described.responses).map(Number),
      needsSession: (described.security ?? []).some((scheme) => "accountSession" in scheme),
      takesBody: described.requestBody !== undefined,
    })),
);
