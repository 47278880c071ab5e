import type { ContentBlock, ToolAnnotations } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import type { z } from "zod";
import type { Refusal } from "#api/errors.ts";
import type { RouteFamily } from "#api/limits.ts";
import type { Scope } from "#api/scopes.ts";
import type { Capability } from "#platform/bindings/capabilities.ts";
import type { AppEnv } from "../http/context.ts";

/** What a tool answers: its output, and blocks for whoever looks at it. */
export interface ToolAnswer<O> {
  readonly output: O;
  /** Shown before the output, a picture for instance. */
  readonly blocks?: readonly ContentBlock[];
}

/** A refusal, and what only agents are told: sizes for those that they invented. */
export interface ToolRefusal extends Refusal {
  readonly nearestSizes?: Readonly<Record<string, readonly string[]>>;
}

export type ToolOutcome<T> = { readonly ok: true; readonly value: T } | ToolRefusal;

/** One tool: how an agent chooses and calls it, what lets it in, and what it does. */
export interface ToolDeclaration<I, O> {
  readonly name: string;
  readonly title: string;
  /** What it is for, when to choose it, what comes next. Agents choose by it. */
  readonly description: string;
  /** The scope that a key needs; null for what the API shows to everybody. */
  readonly scope: Scope | null;
  /** The windows that a call counts in, those of the corresponding routes; none where its service counts. */
  readonly windows: readonly RouteFamily[];
  /** Capabilities without which it is refused with SERVICE_NOT_CONFIGURED. */
  readonly needs?: readonly Capability[];
  readonly annotations: Required<
    Pick<ToolAnnotations, "readOnlyHint" | "destructiveHint" | "idempotentHint" | "openWorldHint">
  >;
  readonly input: z.ZodType<I>;
  /** The input as it is shown, where `input` takes more than an agent should send. */
  readonly shownInput?: z.ZodType;
  readonly output: z.ZodType<O>;
  readonly run: (c: Context<AppEnv>, input: I) => Promise<ToolOutcome<ToolAnswer<O>>>;
}
