/** Parts of an OpenAPI 3.1 document that this module reads or writes. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  pattern?: string;
  example?: unknown;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  minLength?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
}

export interface MediaType {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
}

export interface Parameter {
  name: string;
  in: string;
  description?: string;
  example?: unknown;
  schema: Schema;
}

export interface Operation {
  operationId: string;
  tags: string[];
  description?: string;
  security: Record<string, string[]>[];
  "x-route-family"?: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, ResponseObject>;
}

export interface ApiDocument {
  openapi: string;
  info: { contact?: { name: string; url: string } };
  paths: Record<string, Record<string, Operation>>;
  /** Requests that the service sends, by name. */
  webhooks?: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    headers?: Record<string, unknown>;
    securitySchemes?: Record<string, unknown>;
    examples?: Record<string, { summary: string; value: unknown }>;
  };
}

/** Every operation of the document. */
export const operationsOf = (document: ApiDocument): Operation[] =>
  Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** Every webhook of the document. */
export const webhooksOf = (document: ApiDocument): Operation[] =>
  Object.values(document.webhooks ?? {}).flatMap((methods) => Object.values(methods));
