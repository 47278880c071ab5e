/** Code samples of operations: curl and Python from the OpenAPI document, TypeScript with the package. */
import type { Media, Operation } from "./openapi.ts";
import { TYPESCRIPT_PREAMBLE, TYPESCRIPT_SAMPLES } from "./typescript-samples.ts";

export interface CodeSample {
  /** Title of the sample's tab. */
  readonly title: string;
  /** Language name in a Markdown fence. */
  readonly language: string;
  readonly code: string;
}

/** Origin of `npm run dev`. The pages replace it with their own origin. */
export const LOCAL_ORIGIN = "http://127.0.0.1:8787";

interface Call {
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Example JSON body; undefined if the operation has none. */
  readonly body: unknown;
  /** Media type of the uploaded file; null if the operation takes no file. */
  readonly fileType: string | null;
}

/** The example of a body: its only one, the first of several, or its schema's. */
export function exampleIn(media: Media | undefined): unknown {
  if (media === undefined) return undefined;
  if (media.example !== undefined) return media.example;
  const [first] = Object.values(media.examples ?? {});
  return first !== undefined && "value" in first ? first.value : media.schema?.example;
}

/** Names of the security schemes that an operation accepts. */
export const schemesOf = ({ security }: Operation): readonly string[] =>
  (security ?? []).flatMap(Object.keys);

/** Whether the operation accepts a session, whose cookie the samples read from a file. */
const needsSession = (operation: Operation): boolean => schemesOf(operation).includes("accountSession");

function callOf(operation: Operation, key: string, freshKey: string): Call {
  const { method, parameters, requestBody } = operation;
  const body = exampleIn(requestBody?.content["application/json"]);
  const fileType = requestBody !== undefined && body === undefined ? "image/jpeg" : null;
  const needsKey = schemesOf(operation).includes("bearerKey");
  const needsFresh = parameters.some(({ name }) => name === "Idempotency-Key");
  const headers: readonly (readonly [string, string | null])[] = [
    ["Authorization", needsKey ? `Bearer ${key}` : null],
    ["Origin", !needsKey && needsSession(operation) && method !== "GET" ? LOCAL_ORIGIN : null],
    ["Idempotency-Key", needsFresh ? freshKey : null],
    ["Content-Type", fileType],
  ];
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((each) => each.in === "path" && each.name === name);
    return String(parameter?.example ?? parameter?.schema.example ?? name);
  });
  return {
    path,
    headers: headers.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
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

/** A value as a Python literal. */
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
  const header = ([name, value]: readonly [string, string]) =>
    `"${name}": ${value.includes("{") ? "f" : ""}"${value}"`;
  const hasSession = needsSession(operation);
  const hasKey = headers.some(([, value]) => value.includes("{KEY}"));
  const modules = [
    hasKey ? "os" : [],
    headers.some(([name]) => name === "Idempotency-Key") ? "uuid" : [],
  ].flat();
  return [
    ...(modules.length > 0 ? [`import ${modules.join(", ")}`] : []),
    "import requests",
    "",
    ...(hasKey ? ['KEY = os.environ["KEY"]'] : []),
    ...(hasSession ? ["session = requests.Session()  # signed in before"] : []),
    `answer = ${hasSession ? "session" : "requests"}.${operation.method.toLowerCase()}(`,
    `    "${LOCAL_ORIGIN}${path}",`,
    ...(headers.length > 0 ? [`    headers={${headers.map(header).join(", ")}},`] : []),
    ...(body === undefined ? [] : [`    json=${pythonLiteral(body).replaceAll("\n", "\n    ")},`]),
    ...(fileType === null ? [] : ['    data=open("photo.jpg", "rb"),']),
    "    timeout=60,",
    ")",
    isJson(operation) ? 'print(answer.json()["data"])' : "answer.raise_for_status()",
  ].join("\n");
}

const isJson = ({ responses }: Operation): boolean =>
  Object.entries(responses).some(
    ([status, { content }]) => status.startsWith("2") && content?.["application/json"] !== undefined,
  );

/** The samples of an operation, in tab order. A webhook message has none, because callers do not send it. */
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
