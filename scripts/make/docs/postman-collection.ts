/**
 * All operations as a Postman collection (format 2.1, https://schema.postman.com/json/collection/v2.1.0/), which Bruno,
 * Insomnia and Hoppscotch can also import. Ids in responses are stored in variables, so that the requests of a first
 * pack can be sent in sequence.
 */
import { exampleIn, LOCAL_ORIGIN, schemesOf } from "../site/code-samples.ts";
import { type ApiDescription, type Operation, operationsOf } from "../site/openapi.ts";

/** Response members that are stored in variables for later requests: operation → member of `data` → variable. */
const KEPT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claimTrialKey: { secret: "apiKey" },
  createUpload: { uploadId: "uploadId", assetId: "assetId" },
  createJob: { jobId: "jobId" },
  getJob: { artifactId: "artifactId" },
};

/** The parameters in `place` (path, query or header), each with its example. */
const parametersIn = ({ parameters }: Operation, place: string) =>
  parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, example, schema, required }) => ({
      key: name,
      // Postman replaces this with a new UUID in each request.
      value: name === "Idempotency-Key" ? "{{$guid}}" : String(example ?? schema.example ?? ""),
      ...(required === true ? {} : { disabled: true }),
    }));

function headersOf(operation: Operation): readonly unknown[] {
  const types = Object.keys(operation.requestBody?.content ?? {});
  const type = types.includes("application/json") ? "application/json" : "image/jpeg";
  const needsOrigin = schemesOf(operation).includes("accountSession") && operation.method !== "GET";
  return [
    ...parametersIn(operation, "header"),
    ...(types.length === 0 ? [] : [{ key: "Content-Type", value: type }]),
    ...(needsOrigin ? [{ key: "Origin", value: "{{origin}}" }] : []),
  ];
}

function bodyOf({ requestBody }: Operation): unknown {
  if (requestBody === undefined) return undefined;
  const json = exampleIn(requestBody.content["application/json"]);
  if (json === undefined) return { mode: "file", file: {} };
  return { mode: "raw", raw: JSON.stringify(json, null, 2), options: { raw: { language: "json" } } };
}

function urlOf(operation: Operation): unknown {
  const kept = new Set(Object.values(KEPT).flatMap(Object.values));
  const query = parametersIn(operation, "query");
  const variable = parametersIn(operation, "path").map(({ key, value }) => ({
    key,
    value: kept.has(key) ? `{{${key}}}` : value,
  }));
  const segments = operation.path.slice(1).replace(/\{(\w+)\}/g, ":$1");
  return {
    raw: `{{origin}}/${segments}`,
    host: ["{{origin}}"],
    path: segments.split("/"),
    ...(query.length === 0 ? {} : { query }),
    ...(variable.length === 0 ? {} : { variable }),
  };
}

function keepingScript({ operationId }: Operation): unknown {
  const kept = Object.entries(KEPT[operationId] ?? {});
  if (kept.length === 0) return undefined;
  const exec = [
    "const { data } = pm.response.json();",
    ...kept.map(
      ([member, variable]) =>
        `if (data?.${member}) pm.collectionVariables.set("${variable}", data.${member});`,
    ),
  ];
  return [{ listen: "test", script: { type: "text/javascript", exec } }];
}

const itemOf = (operation: Operation): unknown => ({
  name: operation.summary,
  event: keepingScript(operation),
  request: {
    method: operation.method,
    auth: schemesOf(operation).includes("bearerKey") ? undefined : { type: "noauth" },
    header: headersOf(operation),
    body: bodyOf(operation),
    url: urlOf(operation),
    description: operation.description,
  },
});

/** The collection as a JSON value, with one folder per tag. */
export function postmanCollection(api: ApiDescription): unknown {
  const operations = operationsOf(api).filter(({ isMessage }) => !isMessage);
  const variables = ["apiKey", "uploadId", "assetId", "jobId", "artifactId"];
  return {
    info: {
      name: `${api.info.title} ${api.info.version}`,
      description:
        'Set the variables `origin` and `apiKey`, or send "Claim a trial key" first, which sets the key.',
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{apiKey}}", type: "string" }] },
    variable: [{ key: "origin", value: LOCAL_ORIGIN }, ...variables.map((key) => ({ key, value: "" }))],
    item: api.tags.map(({ name, description }) => ({
      name,
      description,
      item: operations.filter(({ tags }) => tags[0] === name).map(itemOf),
    })),
  };
}
