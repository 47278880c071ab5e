import { createHash, randomUUID } from "node:crypto";
import type { IExecuteSingleFunctions, IHttpRequestOptions } from "n8n-workflow";

/**
 * Idempotency key of a request. Retries within an execution reuse it, so that a lost response charges nothing twice.
 */
function idempotencyKey(context: IExecuteSingleFunctions): string {
  const given = context.getNodeParameter("idempotencyKey", "");
  if (typeof given === "string" && given !== "") return given;
  const run = context.evaluateExpression("{{ $runIndex }}", context.getItemIndex());
  const execution = context.getExecutionId() || randomUUID();
  const named = [context.getWorkflow().id, execution, context.getNode().id, run, context.getItemIndex()];
  return createHash("sha256").update(JSON.stringify(named)).digest("hex");
}

/** Idempotency-Key header of a request. Each step of an operation has its own key. */
export function onceHeaders(context: IExecuteSingleFunctions, step = "") {
  const key = idempotencyKey(context);
  return {
    "Idempotency-Key":
      step === ""
        ? key
        : createHash("sha256")
            .update(step + key)
            .digest("hex"),
  };
}

/** Adds the Idempotency-Key to a request. */
export async function addIdempotencyKey(
  this: IExecuteSingleFunctions,
  request: IHttpRequestOptions,
): Promise<IHttpRequestOptions> {
  return { ...request, headers: { ...request.headers, ...onceHeaders(this) } };
}
