import type { OpenAPIHono } from "@hono/zod-openapi";
import { DOCUMENTED_SESSION_COOKIE } from "../accounts/session-cookie.ts";
import { ERROR_EXAMPLES } from "../contract/error-examples.ts";
import { ERRORS, type ErrorCode } from "../contract/errors.ts";
import { complianceSchema } from "../contract/schemas/artifact.ts";
import type { ErrorEnvelope } from "../contract/schemas/envelope.ts";
import { layoutSchema } from "../contract/schemas/layout.ts";
import { predictedSchema } from "../contract/schemas/preview.ts";
import { API_VERSION } from "../contract/version.ts";
import type { AppEnv } from "./context.ts";
import { DESCRIPTION } from "./openapi-description.ts";
import {
  type ApiDocument,
  type Operation,
  operationsOf,
  type ResponseObject,
  webhooksOf,
} from "./openapi-document.ts";
import { errorCodesOf } from "./openapi-errors.ts";
import { describeHeaders } from "./openapi-headers.ts";
import { describeParameter } from "./openapi-parameters.ts";
import { sampleOf } from "./openapi-samples.ts";
import { nameSchemas } from "./openapi-schemas.ts";
import { registerWebhooks } from "./openapi-webhooks.ts";
import { describeMembers } from "./openapi-words.ts";
import { STATUS_MEANINGS } from "./operation.ts";

const TAGS = [
  {
    name: "Catalogue",
    description: "What a pack may contain: contracts, sizes, rules and where each was read.",
  },
  { name: "Keys", description: "API keys and their scopes. A secret is shown once." },
  { name: "Balance", description: "What can be spent, and every event that led there." },
  { name: "Assets", description: "Pictures, logos and fonts of the workspace, and their upload." },
  { name: "Previews", description: "Protected previews that cost no credits." },
  { name: "Jobs", description: "Orders for packs: created once, paid once, polled until they end." },
  { name: "Artifacts", description: "Finished packs: manifest, files and links." },
  { name: "Account", description: "What a person does from an account session: workspaces, members, keys." },
  {
    name: "Deliveries",
    description: "Packs and messages sent to webhooks and stores, from an account session.",
  },
  { name: "Service", description: "The state of this origin." },
];

/** Names of headers as they are written; the framework knows them in lower case only. */
const WRITTEN_NAMES: Readonly<Record<string, string>> = {
  "idempotency-key": "Idempotency-Key",
  "if-none-match": "If-None-Match",
};

/**
 * Schemas that some member may lack. The generator describes a schema as the first use says that it meets, so that a
 * use as "this or null" would make every other one nullable: these are described before it meets any.
 */
const OFTEN_NULL = [
  ["Compliance", complianceSchema],
  ["PredictedOutput", predictedSchema],
  ["Layout", layoutSchema],
] as const;

const REQUEST_ID = "0199f0c9-0a2b-7c44-8f10-5d6e7f809a1b";

/**
 * The OpenAPI 3.1 document of the routes that stand in the application: JSON that can be kept and compared.
 * `sessionCookie`: the cookie's name on the origin that is described, which has a prefix wherever there is TLS.
 */
export function describeInterface(
  app: OpenAPIHono<AppEnv>,
  sessionCookie: string = DOCUMENTED_SESSION_COOKIE,
): ApiDocument {
  for (const [name, schema] of OFTEN_NULL) app.openAPIRegistry.register(name, schema);
  registerWebhooks(app);
  const generated = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Creative Packs",
      version: API_VERSION,
      description: DESCRIPTION,
      contact: { name: "The operator of this origin", url: "https://packs.example" },
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: "/", description: "This origin" }],
    tags: TAGS,
  });
  // A copy as plain JSON, to add to.
  const document: ApiDocument = JSON.parse(JSON.stringify(generated));
  document.components.securitySchemes = {
    bearerKey: { type: "http", scheme: "bearer", description: "`Authorization: Bearer <API key>`" },
    headerKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "The API key alone." },
    accountSession: {
      type: "apiKey",
      in: "cookie",
      name: sessionCookie,
      description:
        "The cookie that signing in sets. " +
        "Whatever changes something also needs an `Origin` header with this origin.",
    },
  };
  nameSchemas(document);
  describeMembers(document);
  tagDeliveries(document);
  for (const webhook of webhooksOf(document)) addExamples(webhook.requestBody, document);
  const codes = operationsOf(document).flatMap((operation) => describeOperation(operation, document));
  document.components.examples = Object.fromEntries(
    [...new Set(codes)].sort().map((code) => [code, { summary: code, value: errorExample(code) }]),
  );
  shareHeaders(document);
  return document;
}

/** The sending of packs has a chapter of its own, apart from accounts, though both are a session's. */
function tagDeliveries({ paths }: ApiDocument): void {
  for (const [path, methods] of Object.entries(paths)) {
    if (!/\/(destinations|deliveries)(\/|$)/.test(path)) continue;
    for (const operation of Object.values(methods)) operation.tags = ["Deliveries"];
  }
}

/** Completes an operation and returns the error codes that it names. */
function describeOperation(operation: Operation, document: ApiDocument): ErrorCode[] {
  const codes: ErrorCode[] = [];
  for (const parameter of operation.parameters ?? []) {
    parameter.name = WRITTEN_NAMES[parameter.name] ?? parameter.name;
    describeParameter(parameter, document);
  }
  addExamples(operation.requestBody, document);
  for (const [status, response] of Object.entries(operation.responses)) {
    if (Number(status) < 400) addExamples(response, document);
    else codes.push(...describeFailure(response, operation, Number(status)));
    describeHeaders(response, operation, Number(status));
  }
  return codes;
}

function describeFailure(response: ResponseObject, operation: Operation, status: number): ErrorCode[] {
  const codes = errorCodesOf(operation, status);
  const meaning = Object.entries(STATUS_MEANINGS).find(([known]) => Number(known) === status)?.[1] ?? "";
  response.description = `${meaning} Codes: ${codes.map((code) => `\`${code}\``).join(", ")}.`;
  const content = response.content?.["application/json"];
  if (content !== undefined) {
    content.examples = Object.fromEntries(
      codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
    );
  }
  return codes;
}

/** Names each header that many responses carry once, and points to it from there. */
function shareHeaders(document: ApiDocument): void {
  const shared: Record<string, unknown> = {};
  for (const response of operationsOf(document).flatMap(({ responses }) => Object.values(responses))) {
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      shared[name] ??= header;
      if (JSON.stringify(shared[name]) !== JSON.stringify(header) || response.headers === undefined) continue;
      response.headers[name] = { $ref: `#/components/headers/${name}` };
    }
  }
  document.components.headers = shared;
}

function addExamples(part: Pick<ResponseObject, "content"> | undefined, document: ApiDocument): void {
  for (const content of Object.values(part?.content ?? {})) {
    if (content.schema.format === "binary") continue;
    content.example = sampleOf(content.schema, document.components.schemas);
  }
}

function errorExample(code: ErrorCode): ErrorEnvelope {
  const { status, nextAction, safeToRetryUnchanged } = ERRORS[code];
  const { message, details } = ERROR_EXAMPLES[code];
  return {
    ok: false,
    error: {
      code,
      message,
      httpStatus: status,
      requestId: REQUEST_ID,
      details: { nextAction, safeToRetryUnchanged, ...details },
    },
    meta: { apiVersion: API_VERSION, requestId: REQUEST_ID },
  };
}
