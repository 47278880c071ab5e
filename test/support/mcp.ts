import { expect } from "vitest";
import { z } from "zod";
import { type Answer, type Call, call } from "./workspace.ts";

/** An agent's messages to /mcp, in both protocol versions. */

export const PROTOCOLS = ["2025-11-25", "2026-07-28"] as const;
export type Protocol = (typeof PROTOCOLS)[number];

const META = "io.modelcontextprotocol";

/** Members of each request in the newer protocol, which replace the handshake. */
const envelope = {
  [`${META}/protocolVersion`]: "2026-07-28",
  [`${META}/clientInfo`]: { name: "tests", version: "1.0.0" },
  [`${META}/clientCapabilities`]: {},
};

const nameOf = (params: Readonly<Record<string, unknown>>): Record<string, string> => {
  const name = params.name ?? params.uri;
  return typeof name === "string" ? { "Mcp-Name": name } : {};
};

/** Sends one request with its protocol's headers and members. */
export async function post(
  method: string,
  params: Readonly<Record<string, unknown>>,
  { protocol = "2026-07-28", ...rest }: Call & { readonly protocol?: Protocol } = {},
): Promise<Answer> {
  const isModern = protocol === "2026-07-28";
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method,
    params: isModern ? { ...params, _meta: envelope } : params,
  };
  const body = new TextEncoder().encode(JSON.stringify(message));
  return call("POST", "/mcp", {
    ...rest,
    body,
    headers: {
      "Content-Type": "application/json",
      "Content-Length": String(body.byteLength),
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": protocol,
      ...(isModern && { "Mcp-Method": method, ...nameOf(params) }),
      ...rest.headers,
    },
  });
}

const toolResult = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ type: z.string() })),
  structuredContent: z.any().optional(),
});

/** The single message of an answer, sent as JSON or as a stream of one event. */
// biome-ignore lint/suspicious/noExplicitAny: the same.
export function messageIn(answer: Answer): any {
  const text = new TextDecoder().decode(answer.bytes);
  const data = /^data: (.*)$/m.exec(text)?.[1];
  return answer.body ?? JSON.parse(data ?? text);
}

/** Calls a tool; expects 200 and a result. */
export async function callTool(
  secret: string,
  name: string,
  input: Readonly<Record<string, unknown>> = {},
  more: Call & { readonly protocol?: Protocol } = {},
) {
  const answer = await post("tools/call", { name, arguments: input }, { secret, ...more });
  const { result } = messageIn(answer);
  expect(answer.status, JSON.stringify(messageIn(answer))).toBe(200);
  return { ...toolResult.parse(result), headers: answer.headers };
}

const errorText = z.object({
  error: z.object({
    code: z.string(),
    message: z.string().min(1),
    details: z.looseObject({ nextAction: z.string().min(1), safeToRetryUnchanged: z.boolean() }),
  }),
});

/** The structured error of a refused tool call; the text before it says the same. */
export function errorOf(result: Pick<z.infer<typeof toolResult>, "isError" | "content">) {
  expect(result.isError, JSON.stringify(result)).toBe(true);
  const [sentence, json] = result.content.map(({ text }) => z.string().parse(text));
  const { error } = errorText.parse(JSON.parse(json ?? ""));
  expect(sentence).toBe(`${error.code}: ${error.message} ${error.details.nextAction}`);
  return error;
}
