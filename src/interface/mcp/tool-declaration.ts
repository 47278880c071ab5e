import type { ContentBlock, ToolAnnotations } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import type { z } from "zod";
import type { Refusal } from "#api/errors.ts";
import type { RouteFamily } from "#api/limits.ts";
import type { Scope } from "#api/scopes.ts";
import type { Capability } from "#platform/bindings/capabilities.ts";
import type { AppEnv } from "../http/context.ts";

/** A tool's answer: its output, and content blocks such as images. */
export interface ToolAnswer<O> {
  readonly output: O;
  /** Shown before the output. */
  readonly blocks?: readonly ContentBlock[];
}

/** A refusal, with the nearest sizes for each unknown size id. */
export interface ToolRefusal extends Refusal {
  readonly nearestSizes?: Readonly<Record<string, readonly string[]>>;
}

export type ToolOutcome<T> = { readonly ok: true; readonly value: T } | ToolRefusal;

/** One tool: its description for agents, its access, and its work. */
export interface ToolDeclaration<I, O> {
  readonly name: string;
  readonly title: string;
  /** Purpose, when to choose it, and the next step. Agents choose tools by their descriptions. */
  readonly description: string;
  /** The scope that a key needs; null for public data. */
  readonly scope: Scope | null;
  /** Windows that a call counts in: those of the corresponding route. Empty if its service counts the call. */
  readonly windows: readonly RouteFamily[];
  /** Capabilities without which it refuses with SERVICE_NOT_CONFIGURED. */
  readonly needs?: readonly Capability[];
  readonly annotations: Required<
    Pick<ToolAnnotations, "readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint">
  >;
  readonly input: z.ZodType<I>;
  /** The input to show if `input` accepts more than agents should send. */
  readonly shownInput?: z.ZodType;
  readonly output: z.ZodType<O>;
  readonly run: (c: Context<AppEnv>, input: I) => Promise<ToolOutcome<ToolAnswer<O>>>;
}
