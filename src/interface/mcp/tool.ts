import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import type { z } from "zod";
import type { Scope } from "#api/scopes.ts";
import { pick } from "#platform/pick-members.ts";
import type { AppEnv } from "../http/context.ts";
import { type JsonSchema, jsonSchemaOf } from "./json-schema.ts";
import { runTool } from "./run-tool.ts";
import type { ToolDeclaration } from "./tool-declaration.ts";

/** A tool as it is listed and called. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly scope: Scope | null;
  readonly inputSchema: () => JsonSchema;
  readonly outputSchema: () => JsonSchema;
  readonly output: z.ZodType;
  readonly call: (c: Context<AppEnv>, input: unknown) => Promise<CallToolResult>;
}

/** Computes a value at its first use. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A tool from its declaration. Its schemas are created once per isolate. */
export const defineTool = <I, O extends object>(declaration: ToolDeclaration<I, O>): Tool => ({
  ...pick(declaration, "name", "title", "description", "annotations", "scope"),
  inputSchema: once(() => jsonSchemaOf(declaration.shownInput ?? declaration.input, "input")),
  outputSchema: once(() => jsonSchemaOf(declaration.output, "output")),
  output: declaration.output,
  call: (c, input) => runTool(c, declaration, input),
});
