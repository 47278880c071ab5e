import { McpServer, type StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import { offered } from "#catalogue/contracts.ts";
import { offersMp4 } from "#interface/http/operation-deps.ts";
import type { AppEnv } from "../http/context.ts";
import type { JsonSchema } from "./json-schema.ts";
import { addPrompts } from "./prompts.ts";
import { addResources } from "./resources.ts";
import type { Tool } from "./tool.ts";
import { TOOLS } from "./tools/index.ts";

/** Text that an agent reads before the tools. */
const INSTRUCTIONS = [
  "Makes packs of ad images: one photo, logo and some words become the image files that ad networks take.",
  "In this order: list_contracts, list_sizes, import_asset for each picture (or list_assets for those that are there),",
  "preview_pack for a free look, quote_pack for the cost, create_pack to pay, get_pack until it has succeeded, share_pack",
  "for approval. create_pack charges credits: tell the person the cost first, and keep its idempotencyKey for retries.",
  "An error names a code, what is wrong and what to do next.",
].join(" ");

const SERVER = { name: "creative-packs", title: "Creative Packs", version: "0.1.0" };

/** Wraps a schema for the library: the JSON to show, and the validation. */
const schemaOf = <T>(
  json: () => JsonSchema,
  validate: StandardSchemaWithJSON<unknown, T>["~standard"]["validate"],
): StandardSchemaWithJSON<unknown, T> => ({
  "~standard": {
    version: 1,
    vendor: "creative-packs",
    validate,
    jsonSchema: { input: json, output: json },
  },
});

/** No validation here: the tool validates, and its refusals say what to do (`runTool`). */
const asSent = (value: unknown) => ({ value });

function addTool(server: McpServer, c: Context<AppEnv>, tool: Tool): void {
  const { title, description, annotations } = tool;
  server.registerTool(
    tool.name,
    {
      title,
      description,
      annotations,
      inputSchema: schemaOf(tool.inputSchema, asSent),
      outputSchema: schemaOf(tool.outputSchema, (value) => tool.output["~standard"].validate(value)),
    },
    (input) => tool.call(c, input),
  );
}

/** Creates a server for one request, of either protocol version. It keeps no state. */
export function createServer(c: Context<AppEnv>): McpServer {
  const server = new McpServer(SERVER, {
    instructions: INSTRUCTIONS,
    // Tools, resources and prompts change only with a deployment.
    capabilities: {
      tools: { listChanged: false },
      resources: { listChanged: false },
      prompts: { listChanged: false },
    },
  });
  for (const tool of TOOLS) addTool(server, c, tool);
  addResources(server, (contract) => offered(contract, offersMp4(c)));
  addPrompts(server);
  return server;
}
