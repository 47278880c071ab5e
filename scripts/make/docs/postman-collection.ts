/**
 * Every operation as a collection of Postman (format 2.1, https://schema.postman.com/json/collection/v2.1.0/), which
 * Bruno, Insomnia and Hoppscotch import as well. Ids of answers are kept in variables, so that the requests of a first
 * pack can be sent one after the other.
 */
import { exampleIn, LOCAL_ORIGIN } from "../site/code-samples.ts";
import { type ApiDescription, type Operation, operationsOf } from "../site/openapi.ts";

/** What an answer leaves in a variable for the requests after it: operation → member of `data` → variable. */
const KEPT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claimTrialKey: { secret: "apiKey" },
  createUpload: { uploadId: "uploadId", assetId: "assetId" },
  createJob: { jobId: "jobId" },
  getJob: { artifactId: "artifactId" },
};

const schemesOf = ({ security }: Operation): readonly string[] => (security ?? []).flatMap(Object.keys);

function authOf(operation: Operation): unknown {
  return schemesOf(operation).includes("bearerKey") ? undefined : { type: "noauth" };
}

/** Of a header the value that a person would send; Postman makes a new key for each effect by itself. */
const headerValue = (name: string, example: unknown): string =>
  name === "Idempotency-Key" ? "{{$guid}}" : String(example ?? "");

function headersOf(operation: Operation): readonly unknown[] {
  const types = Object.keys(operation.requestBody?.content ?? {});
  const needsOrigin = schemesOf(operation).includes("accountSession") && operation.method !== "GET";
  return [
    ...operation.parameters
      .filter((parameter) => parameter.in === "header")
      .map(({ name, example, schema, required }) => ({
        key: name,
        value: headerValue(name, example ?? schema.example),
        ...(required === true ? {} : { disabled: true }),
      })),
    ...(types.length === 0
      ? []
      : [
          {
            key: "Content-Type",
            value: types.includes("application/json") ? "application/json" : "image/jpeg",
          },
        ]),
    ...(needsOrigin ? [{ key: "Origin", value: "{{origin}}" }] : []),
  ];
}

function bodyOf({ requestBody }: Operation): unknown {
  if (requestBody === undefined) return undefined;
  const json = exampleIn(requestBody.content["application/json"]);
  if (json === undefined) return { mode: "file", file: {} };
  return { mode: "raw", raw: JSON.stringify(json, null, 2), options: { raw: { language: "json" } } };
}

function urlOf({ path, parameters }: Operation): unknown {
  const kept = new Set(Object.values(KEPT).flatMap(Object.values));
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const query = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, example, schema, required }) => ({
      key: name,
      value: String(example ?? schema.example ?? ""),
      ...(required === true ? {} : { disabled: true }),
    }));
  const segments = path.slice(1).replace(/\{(\w+)\}/g, ":$1");
  return {
    raw: `{{origin}}/${segments}`,
    host: ["{{origin}}"],
    path: segments.split("/"),
    ...(query.length === 0 ? {} : { query }),
    ...(inPath.length === 0
      ? {}
      : {
          variable: inPath.map(({ name, example, schema }) => ({
            key: name,
            value: kept.has(name) ? `{{${name}}}` : String(example ?? schema.example ?? ""),
          })),
        }),
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
    auth: authOf(operation),
    header: headersOf(operation),
    body: bodyOf(operation),
    url: urlOf(operation),
    description: operation.description,
  },
});

/** The collection, as JSON can hold it: a folder for each tag. */
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
