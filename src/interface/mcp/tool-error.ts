import type { CallToolResult } from "@modelcontextprotocol/server";
import { ERRORS, type ErrorCode } from "#api/errors.ts";
import type { ToolRefusal } from "./tool-declaration.ts";

/** Next actions in terms of tools, where the API's texts name routes and headers. */
const NEXT_ACTIONS: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_REQUEST: "Correct the named arguments and call the tool again.",
  INVALID_CURSOR: "Use `nextBefore` of the previous page as `before`, or leave it out.",
  CONTRACT_NOT_FOUND: "Call list_contracts and use one of its contractIds.",
  CONTRACT_UNSUPPORTED: "Call list_contracts and use one of its contractIds.",
  SIZE_UNSUPPORTED: "Use the sizes of details.nearestSizes, or call list_sizes and use its sizeIds.",
  FORMAT_UNSUPPORTED: "Leave outputFormat out, or use one of details.formats.",
  SLOT_UNSUPPORTED: "Put each asset in the slot that it was imported for; list_assets shows it.",
  ASSET_UNKNOWN: "Call list_assets and use ids of its ready assets, or import_asset first.",
  ASSET_NOT_FOUND: "Call list_assets and use one of its ids.",
  ASSET_NOT_READY: "Call list_assets until the asset is ready, then call this tool again.",
  BRAND_UNKNOWN: "Call list_brands and use one of its brandIds, or leave brandId out.",
  VISUAL_ASSET_REQUIRED: "Name at least one picture or logo in assetIds; import_asset makes one.",
  ASSET_LIMIT_REACHED: "Ask the person to delete assets that are no longer needed, then import again.",
  ASSET_REJECTED: "Fix or replace the file and import it again.",
  ADDRESS_REFUSED:
    "Give the public https address of the file on port 443 or 8443, or a small file as base64.",
  UPLOAD_INTENT_INVALID: "Correct the named argument as the message says, and import again.",
  PAYMENT_REQUIRED: "Select fewer sizes, or ask the person to add credits or a subscription.",
  BUDGET_EXHAUSTED:
    "Select fewer sizes, wait until details.resetsAt, or ask the person to raise this API key's budget.",
  SCOPE_MISSING: "Ask the person for an API key that holds details.requiredScope.",
  IDEMPOTENCY_CONFLICT: "Use a new idempotencyKey, or repeat the first call exactly.",
  IDEMPOTENCY_IN_PROGRESS: "Wait a few seconds, then repeat the same call.",
  JOB_NOT_FOUND: "Use a jobId that create_pack answered with.",
  JOB_RUNNING: "Call get_pack until the pack has ended; one that is being drawn cannot be canceled.",
  ARTIFACT_NOT_FOUND: "Use the artifactId that get_pack shows of a pack that has succeeded.",
  ARTIFACT_NOT_READY: "Call create_pack again; the files of this pack are no longer kept.",
  RATE_LIMITED: "Wait details.retryAfterSeconds, then repeat the same call.",
  SERVICE_BUSY: "Wait details.retryAfterSeconds, then repeat the same call.",
  PREVIEW_RATE_LIMITED: "Wait until details.quota.burst.resetsAt, then repeat the same call.",
  PREVIEW_QUOTA_EXCEEDED: "Wait until details.quota.product.resetsAt, or create the pack.",
  PREVIEW_UNAVAILABLE: "Wait details.retryAfterSeconds, then repeat the same call.",
  SERVICE_UNAVAILABLE: "Wait details.retryAfterSeconds, then repeat the same call.",
};

/** A refusal with the members of the API's error. */
function errorOf({ code, message, details = {}, retryAfterSeconds, nearestSizes }: ToolRefusal) {
  const rule: { readonly nextAction: string; readonly safeToRetryUnchanged: boolean } = ERRORS[code];
  const { nextAction, safeToRetryUnchanged = rule.safeToRetryUnchanged, ...more } = details;
  const seconds = retryAfterSeconds ?? retryAfterOf(code);
  return {
    code,
    message,
    details: {
      nextAction: nextAction ?? NEXT_ACTIONS[code] ?? rule.nextAction,
      safeToRetryUnchanged,
      ...more,
      ...(nearestSizes !== undefined && { nearestSizes }),
      ...(seconds !== undefined && { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) }),
    },
  };
}

function retryAfterOf(code: ErrorCode): number | undefined {
  const rule: { readonly retryAfterSeconds?: number } = ERRORS[code];
  return rule.retryAfterSeconds;
}

/**
 * A tool's refusal: a sentence with the next action, and the API's error as JSON. Text only, because clients validate
 * structured content against the tool's output schema.
 */
export function toolError(refusal: ToolRefusal): CallToolResult {
  const error = errorOf(refusal);
  return {
    isError: true,
    content: [
      { type: "text", text: `${error.code}: ${error.message} ${error.details.nextAction}` },
      { type: "text", text: JSON.stringify({ error }) },
    ],
  };
}
