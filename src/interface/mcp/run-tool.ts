import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import { refuse } from "#api/errors.ts";
import { isMovingError } from "#platform/db/batch-guard.ts";
import { log } from "#platform/log/log.ts";
import { readKey, requireScope } from "../http/authenticate.ts";
import type { AppEnv } from "../http/context.ts";
import { finishAfterDisconnect, nameSubject } from "../http/context.ts";
import { RefusedRequest, writeWindow } from "../http/envelope.ts";
import { countRequest, refuseExhaustedWindow } from "../http/rate-limit.ts";
import { requireCapability } from "../http/require-capability.ts";
import {
  hasWorkspaceMoved,
  repeatAfterMove,
  waitForMove,
  workspaceMoving,
} from "../http/workspace-database.ts";
import type { ToolAnswer, ToolDeclaration, ToolOutcome, ToolRefusal } from "./tool-declaration.ts";
import { toolError } from "./tool-error.ts";

/** Maximum number of reported issues; more would not help the reader. */
const ISSUES_SHOWN_MAX = 10;

/**
 * Runs a tool in the order of the API's operations: window, scope, capabilities, validation, work. A tool that writes
 * reads the key again first. The first refusal is the result.
 */
export async function runTool<I, O extends object>(
  c: Context<AppEnv>,
  tool: ToolDeclaration<I, O>,
  input: unknown,
): Promise<CallToolResult> {
  try {
    const outcome = await finishAfterDisconnect(c, admitAndRun(c, tool, input));
    const isWritten = outcome.ok && !tool.annotations.readOnlyHint;
    if (!isWritten && (await hasWorkspaceMoved(c))) return refusedBy(c, workspaceMoving(c));
    if (!outcome.ok) return refusedBy(c, outcome);
    nameSubject(c, outcome.value.output);
    return toResult(outcome.value);
  } catch (thrown) {
    return refusedBy(c, await refusalFromHome(c, thrown));
  }
}

/** The refusal for a thrown value or, if the workspace has moved meanwhile, the refusal for a moving workspace. */
async function refusalFromHome(c: Context<AppEnv>, thrown: unknown): Promise<ToolRefusal> {
  const refusal = refusalOf(c, thrown);
  return (await hasWorkspaceMoved(c)) ? workspaceMoving(c) : refusal;
}

async function admitAndRun<I, O>(
  c: Context<AppEnv>,
  tool: ToolDeclaration<I, O>,
  input: unknown,
): Promise<ToolOutcome<ToolAnswer<O>>> {
  const known = c.get("principal");
  for (const family of tool.windows) refuseExhaustedWindow(c, family, known.countedAs);
  // Without a window nothing needs to be counted first. The cached key suffices, because its scopes never change.
  if (tool.windows.length === 0 && tool.scope !== null) requireScope(known, tool.scope);
  const principal = tool.annotations.readOnlyHint ? known : await readKey(c, "never");
  for (const [at, family] of tool.windows.entries()) {
    await countRequest(c, family, principal.countedAs, at === 0);
  }
  if (tool.scope !== null) requireScope(principal, tool.scope);
  for (const capability of tool.needs ?? []) requireCapability(c, capability);
  const parsed = tool.input.safeParse(input ?? {});
  if (parsed.success) {
    const enter = () => readKey(c, "never");
    if (principal.isMoving && !tool.annotations.readOnlyHint) {
      await waitForMove(c);
      await enter();
    }
    return repeatAfterMove(c, enter, async () => tool.run(c, parsed.data));
  }
  const issues = parsed.error.issues.slice(0, ISSUES_SHOWN_MAX).map(({ path, message }) => ({
    in: "body" as const,
    path: path.map(String).join("."),
    message,
  }));
  const words = issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return refuse("INVALID_REQUEST", words.join("; "), { issues });
}

/** The output twice: structured, and as text for clients that pass on only text. */
const toResult = <O extends object>({ output, blocks = [] }: ToolAnswer<O>): CallToolResult => ({
  content: [...blocks, { type: "text", text: JSON.stringify(output) }],
  structuredContent: { ...output },
});

function refusedBy(c: Context<AppEnv>, refusal: ToolRefusal): CallToolResult {
  c.set("errorCode", refusal.code);
  if (refusal.fullWindow !== undefined) writeWindow(c, { ...refusal.fullWindow, remaining: 0 });
  return toolError(refusal);
}

/** A thrown value as a refusal. The text of an unexpected error never leaves the service. */
function refusalOf(c: Context<AppEnv>, thrown: unknown): ToolRefusal {
  if (thrown instanceof RefusedRequest) return thrown.refusal;
  if (isMovingError(thrown)) return workspaceMoving(c);
  log.failure(
    {
      event: "request_failed",
      operation: c.get("operation"),
    },
    thrown,
  );
  return refuse("INTERNAL_ERROR", "Something failed on our side.");
}
