import { OpenAPIHono } from "@hono/zod-openapi";
import { ERRORS, type ErrorCode } from "#api/errors.ts";
import { complianceSchema } from "#api/schemas/artifact.ts";
import { brandAssetsSchema } from "#api/schemas/brand.ts";
import { brandSchema } from "#api/schemas/design.ts";
import type { ErrorEnvelope } from "#api/schemas/envelope.ts";
import { layoutSchema } from "#api/schemas/layout.ts";
import { predictedSchema } from "#api/schemas/preview.ts";
import { API_VERSION } from "#api/version.ts";
import { DOCUMENTED_SESSION_COOKIE } from "#domains/accounts/sign-in/session-cookie.ts";
import type { Route } from "../http/route.ts";
import {
  type ApiDocument,
  operationsOf,
  type ResponseObject,
  type Schema,
  webhooksOf,
} from "./document-types.ts";
import { errorCodesOf } from "./error-codes.ts";
import { ERROR_EXAMPLES } from "./error-examples.ts";
import { DESCRIPTION } from "./introduction.ts";
import { MEMBER_DESCRIPTIONS } from "./member-descriptions.ts";
import { nameSchemas } from "./name-schemas.ts";
import { describeOperation } from "./operation.ts";
import { describeParameter } from "./parameters.ts";
import { sampleOf } from "./samples.ts";
import { SCHEMA_DESCRIPTIONS } from "./schema-descriptions.ts";
import { registerWebhooks } from "./webhooks.ts";

const TAGS = [
  {
    name: "Catalogue",
    description: "What a pack may contain: contracts, sizes and rules, with their sources.",
  },
  { name: "Keys", description: "API keys and their scopes." },
  { name: "Balance", description: "Balance, ledger and usage of the workspace." },
  { name: "Assets", description: "Images, logos and fonts of the workspace, and their upload or import." },
  { name: "Brands", description: "Saved colours, logos, fonts and texts that requests refer to by one id." },
  { name: "Previews", description: "Protected previews, which cost no credits." },
  { name: "Jobs", description: "Orders for packs: created and paid once, polled until they end." },
  { name: "Artifacts", description: "Finished packs: manifest, files and links." },
  {
    name: "Account",
    description: "Operations of an account session: sign-in, workspaces, members and keys.",
  },
  {
    name: "Deliveries",
    description: "Packs and messages sent to webhooks and stores, with an account session.",
  },
  {
    name: "Billing",
    description: "Purchases of credits and plans at the payment provider, with an account session.",
  },
  { name: "Mail", description: "Reports of the mail provider." },
  { name: "Service", description: "State of this origin." },
];

/**
 * Schemas that some member uses as nullable. The generator keeps the form of a schema's first use, which would make
 * every use nullable; registering them first prevents that.
 */
const NULLABLE_SCHEMAS = [
  ["Brand", brandSchema],
  ["BrandAssets", brandAssetsSchema],
  ["Compliance", complianceSchema],
  ["PredictedOutput", predictedSchema],
  ["Layout", layoutSchema],
] as const;

const REQUEST_ID = "0199f0c9-0a2b-7c44-8f10-5d6e7f809a1b";

/**
 * Creates the OpenAPI 3.1 document of the routes, as plain JSON. `sessionCookie` is the cookie's name on the described
 * origin; it has a prefix wherever there is TLS.
 */
export function createDocument(
  routes: readonly Route[],
  sessionCookie: string = DOCUMENTED_SESSION_COOKIE,
): ApiDocument {
  const generator = new OpenAPIHono();
  const registry = generator.openAPIRegistry;
  for (const [name, schema] of NULLABLE_SCHEMAS) registry.register(name, schema);
  for (const { declaration } of routes) registry.registerPath(describeOperation(declaration));
  registerWebhooks(registry);
  const generated = generator.getOpenAPI31Document({
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
  // A mutable copy.
  const document: ApiDocument = JSON.parse(JSON.stringify(generated));
  document.components.securitySchemes = securitySchemes(sessionCookie);
  nameSchemas(document);
  describeMembers(document);
  for (const webhook of webhooksOf(document)) addExamples(webhook.requestBody, document);
  for (const operation of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) describeParameter(parameter, document);
    addExamples(operation.requestBody, document);
    for (const response of Object.values(operation.responses)) addExamples(response, document);
  }
  const codes = new Set(routes.flatMap(({ declaration }) => errorCodesOf(declaration)));
  document.components.examples = Object.fromEntries(
    [...codes].sort().map((code) => [code, { summary: code, value: errorExample(code) }]),
  );
  shareHeaders(document);
  return document;
}

const securitySchemes = (sessionCookie: string) => ({
  bearerKey: { type: "http", scheme: "bearer", description: "`Authorization: Bearer <API key>`" },
  headerKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "The API key in the `X-API-Key` header.",
  },
  accountSession: {
    type: "apiKey",
    in: "cookie",
    name: sessionCookie,
    description:
      "The cookie set by a sign-in. Requests that change something also need an `Origin` header with this origin.",
  },
});

/** Moves headers that several responses share to the components. */
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
    if (content.schema.format === "binary" || content.examples !== undefined) continue;
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

const targetOf = (schemas: Readonly<Record<string, Schema>>, part: Schema): Schema | undefined =>
  part.$ref === undefined ? undefined : schemas[part.$ref.split("/").at(-1) ?? ""];

/** Describes a schema from its name, if it is an envelope (`JobEnvelope`) or a job in one status (`QueuedJob`). */
function describeName(name: string): string | undefined {
  if (name.endsWith("Envelope")) return `Success envelope of \`${name.slice(0, -"Envelope".length)}\`.`;
  const status = /^(Queued|Running|Succeeded|Failed|Canceled)Job$/.exec(name)?.[1];
  return status === undefined ? undefined : `A job whose status is \`${status.toLowerCase()}\`.`;
}

function describe(schema: Schema, words: string | undefined): void {
  if (schema.description === undefined && words !== undefined) schema.description = words;
}

/** Adds missing descriptions to all members and named schemas, for generated clients and agents. */
function describeMembers({ components: { schemas } }: ApiDocument): void {
  for (const [name, schema] of Object.entries(schemas)) {
    describe(schema, SCHEMA_DESCRIPTIONS[name] ?? describeName(name));
    for (const [member, part] of Object.entries(schema.properties ?? {})) {
      const ofSlot = name.endsWith("Placements")
        ? `Placement of the image in the slot \`${member}\`.`
        : undefined;
      describe(part, ofSlot ?? MEMBER_DESCRIPTIONS[`${name}.${member}`] ?? MEMBER_DESCRIPTIONS[member]);
    }
  }
  // A part named after its member takes the member's description.
  for (const schema of Object.values(schemas)) {
    for (const part of Object.values(schema.properties ?? {})) {
      const choice = (part.anyOf ?? [part]).map((one) => targetOf(schemas, part.$ref ? part : one));
      const target = choice.find((found) => found !== undefined) ?? targetOf(schemas, part.items ?? {});
      if (target !== undefined) describe(target, part.description);
    }
  }
}
