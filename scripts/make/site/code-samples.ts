/** How an operation is called: in curl and Python from its declaration, in TypeScript as the package does it. */
import type { Media, Operation } from "./openapi.ts";
import { TYPESCRIPT_PREAMBLE, TYPESCRIPT_SAMPLES } from "./typescript-samples.ts";

export interface CodeSample {
  /** As its tab names it. */
  readonly title: string;
  /** As a fence of Markdown names it. */
  readonly language: string;
  readonly code: string;
}

/** Where `npm run dev` answers; the pages put their own origin in its place. */
export const LOCAL_ORIGIN = "http://127.0.0.1:8787";

interface Call {
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null where the operation takes no JSON. */
  readonly body: unknown;
  /** Type of a file that is sent, or null. */
  readonly fileType: string | null;
}

const exampleOf = (given: { example?: unknown; schema?: { example?: unknown } | undefined }): unknown =>
  given.example ?? given.schema?.example;

/** The media's example, or the first of several that stands in place. */
export function exampleIn(media: Media | undefined): unknown {
  if (media === undefined) return undefined;
  if (media.example !== undefined) return media.example;
  const [first] = Object.values(media.examples ?? {});
  return first !== undefined && "value" in first ? first.value : media.schema?.example;
}

function pathWithExamples({ path, parameters }: Operation): string {
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  return inPath.reduce(
    (filled, parameter) =>
      filled.replace(`{${parameter.name}}`, String(exampleOf(parameter) ?? parameter.name)),
    path,
  );
}

const schemesOf = ({ security }: Operation): readonly string[] => (security ?? []).flatMap(Object.keys);

/** The headers that say who calls: a key, a session's cookie, or none. */
function credentials(operation: Operation, key: string): Call["headers"] {
  const schemes = schemesOf(operation);
  if (schemes.includes("bearerKey")) return [["Authorization", `Bearer ${key}`]];
  if (!schemes.includes("accountSession")) return [];
  return operation.method === "GET" ? [] : [["Origin", LOCAL_ORIGIN]];
}

/** Whether a person's session is sent, which the samples keep in a cookie jar. */
const needsSession = (operation: Operation): boolean => schemesOf(operation).includes("accountSession");

function callOf(operation: Operation, key: string, freshKey: string): Call {
  const types = Object.keys(operation.requestBody?.content ?? {});
  const body = exampleIn(operation.requestBody?.content["application/json"]);
  const fileType = types.length > 0 && body === undefined ? "image/jpeg" : null;
  const needsFresh = operation.parameters.some(({ name }) => name === "Idempotency-Key");
  return {
    path: pathWithExamples(operation),
    headers: [
      ...credentials(operation, key),
      ...(needsFresh ? ([["Idempotency-Key", freshKey]] as const) : []),
      ...(fileType === null ? [] : ([["Content-Type", fileType]] as const)),
    ],
    body,
    fileType,
  };
}

function curlSample(operation: Operation): string {
  const { path, headers, body, fileType } = callOf(operation, "$KEY", "$(uuidgen)");
  const isPlain = operation.method === "GET" || (operation.method === "POST" && body !== undefined);
  const lines = [
    `curl -sS --fail-with-body${isPlain ? "" : ` -X ${operation.method}`} "${LOCAL_ORIGIN}${path}"`,
    ...(needsSession(operation) ? ["-b cookies.txt"] : []),
    ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"']),
    ...(body === undefined ? [] : [`-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`]),
    ...(fileType === null ? [] : ["--data-binary @photo.jpg"]),
  ];
  return lines.join(" \\\n  ");
}

/** A value as Python writes it. */
function pythonLiteral(value: unknown): string {
  const json = JSON.stringify(value, null, 4) ?? "None";
  return json.replace(
    /"(?:[^"\\]|\\.)*"|\b(true|false|null)\b/g,
    (match, word: string | undefined) =>
      ({ true: "True", false: "False", null: "None" })[word ?? ""] ?? match,
  );
}

function pythonSample(operation: Operation): string {
  const { path, headers, body, fileType } = callOf(operation, "{KEY}", "{uuid.uuid4()}");
  const needsUuid = headers.some(([name]) => name === "Idempotency-Key");
  const header = ([name, value]: readonly [string, string]) =>
    `"${name}": ${value.includes("{") ? `f"${value}"` : `"${value}"`}`;
  const caller = needsSession(operation) ? "session" : "requests";
  const method = operation.method.toLowerCase();
  return [
    `import ${[...(headers.some(([, value]) => value.includes("{KEY}")) ? ["os"] : []), ...(needsUuid ? ["uuid"] : [])].join(", ")}`,
    "import requests",
    "",
    ...(headers.some(([, value]) => value.includes("{KEY}")) ? ['KEY = os.environ["KEY"]'] : []),
    ...(needsSession(operation) ? ["session = requests.Session()  # signed in before"] : []),
    `answer = ${caller}.${method}(`,
    `    "${LOCAL_ORIGIN}${path}",`,
    ...(headers.length > 0 ? [`    headers={${headers.map(header).join(", ")}},`] : []),
    ...(body === undefined ? [] : [`    json=${pythonLiteral(body).replaceAll("\n", "\n    ")},`]),
    ...(fileType === null ? [] : ['    data=open("photo.jpg", "rb"),']),
    "    timeout=60,",
    ")",
    isJson(operation) ? 'print(answer.json()["data"])' : "answer.raise_for_status()",
  ]
    .filter((line) => line !== "import ")
    .join("\n");
}

const isJson = ({ responses }: Operation): boolean =>
  Object.entries(responses).some(
    ([status, { content }]) => status.startsWith("2") && content?.["application/json"] !== undefined,
  );

/** The samples of an operation, in the order of the tabs. A message to a webhook is nobody's call. */
export function samplesOf(operation: Operation): readonly CodeSample[] {
  if (operation.isMessage) return [];
  const typescript = TYPESCRIPT_SAMPLES[operation.operationId];
  return [
    { title: "curl", language: "sh", code: curlSample(operation) },
    ...(typescript === undefined
      ? []
      : [{ title: "TypeScript", language: "ts", code: `${TYPESCRIPT_PREAMBLE}\n${typescript}` }]),
    { title: "Python", language: "python", code: pythonSample(operation) },
  ];
}
