/** Generates a TypeScript file with the facts about each API operation that the OpenAPI types do not contain. */

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Route {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

const JSON_TYPE = "application/json";
const nameOf = (schema: Schema | undefined): string | null => schema?.$ref?.split("/").at(-1) ?? null;

/** Callers of a file's operations, and the module from which the file imports types. */
export interface OperationsAudience {
  /** True: operations of a session, for the Studio. False: operations with a key, a link or no authentication. */
  readonly isAccount: boolean;
  readonly shapesModule: string;
}

/** The Studio calls this operation before sign-in, without the SDK. */
const SERVICE_PATH = "/api/v1/service";

/** Whether a path belongs in the file. Paths that providers call (`/api/billing/events`) are in neither file. */
const isFor = (path: string, isAccount: boolean): boolean =>
  isAccount
    ? path.startsWith("/api/account/") || path === SERVICE_PATH
    : path.startsWith("/api/v1/") || !path.startsWith("/api/");

const routesOf = ({ paths }: Document, isAccount: boolean): readonly Route[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    !isFor(path, isAccount)
      ? []
      : Object.entries(methods).map(([method, operation]) => ({
          path,
          method: method.toUpperCase(),
          operation,
        })),
  );

const hasHeader = ({ parameters = [] }: Operation, name: string): boolean =>
  parameters.some((one) => one.in === "header" && one.name.toLowerCase() === name);

const tableLine = ({ path, method, operation }: Route): string =>
  [
    `  ${operation.operationId}: {`,
    `method: "${method}",`,
    `path: "${path}",`,
    // Members that are false are omitted, which saves pages 2 kB.
    hasHeader(operation, "idempotency-key") ? "takesIdempotencyKey: true," : "",
    hasHeader(operation, "x-d1-bookmark") ? "takesBookmark: true," : "",
    "},",
  ].join(" ");

/** TypeScript of a parameter's schema; throws for unsupported schemas. */
function typeOf(schema: Schema): string {
  const name = nameOf(schema);
  if (name !== null) return name;
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.type === "integer") return "number";
  if (schema.type === "string" || schema.type === "boolean") return schema.type;
  throw new Error(`no TypeScript is known for the parameter schema ${JSON.stringify(schema)}`);
}

function queryType({ parameters = [] }: Operation): string {
  const members = parameters
    .filter((one) => one.in === "query")
    .flatMap(({ name, description, schema }) => [
      ...(description === undefined ? [] : [`      /** ${description} */`]),
      `      readonly ${name}?: ${typeOf(schema)} | undefined;`,
    ]);
  return members.length === 0 ? "Nothing" : `{\n${members.join("\n")}\n    }`;
}

const bodyType = ({ requestBody }: Operation): string =>
  nameOf(requestBody?.content[JSON_TYPE]?.schema) ?? "never";

/** `data` of a success envelope; none for bytes and empty responses. */
function dataType({ responses }: Operation): string {
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"));
  const envelope = nameOf(success?.[1].content?.[JSON_TYPE]?.schema);
  return envelope === null ? "never" : `${envelope}["data"]`;
}

const shapeLines = ({ operation }: Route): string =>
  [
    `  /** ${operation.summary}. */`,
    `  readonly ${operation.operationId}: {`,
    `    readonly query: ${queryType(operation)};`,
    `    readonly body: ${bodyType(operation)};`,
    `    readonly data: ${dataType(operation)};`,
    "  };",
  ].join("\n");

/** Names of the schemas that the generated operations refer to. */
function usedNames(routes: readonly Route[]): readonly string[] {
  const names = routes.flatMap(({ operation }) => [
    ...(operation.parameters ?? []).filter((one) => one.in === "query").map(({ schema }) => nameOf(schema)),
    nameOf(operation.requestBody?.content[JSON_TYPE]?.schema),
    ...Object.entries(operation.responses)
      .filter(([status]) => status.startsWith("2"))
      .map(([, { content }]) => nameOf(content?.[JSON_TYPE]?.schema)),
  ]);
  return [...new Set(names.filter((name) => name !== null))].sort();
}

/** Content of the file. */
export function operationsFile(document: Document, { isAccount, shapesModule }: OperationsAudience): string {
  const routes = routesOf(document, isAccount);
  return [
    "// Generated from schema/openapi.json by npm run prepare; not in git.",
    `import type {\n${usedNames(routes)
      .map((name) => `  ${name},`)
      .join("\n")}\n} from "${shapesModule}";`,
    "type Nothing = Readonly<Record<string, never>>;",
    "/** Method and path of an operation, and which of the headers it takes. */",
    "export interface OperationRoute {",
    "  readonly method: string;",
    "  readonly path: string;",
    "  readonly takesIdempotencyKey?: true;",
    "  readonly takesBookmark?: true;",
    "}",
    `export const OPERATIONS: Readonly<Record<keyof Operations, OperationRoute>> = {\n${routes.map(tableLine).join("\n")}\n};`,
    `/** Query, JSON body and \`data\` of each operation. */\nexport interface Operations {\n${routes.map(shapeLines).join("\n")}\n}`,
    "",
  ].join("\n\n");
}
