import { ERRORS, type ErrorCode } from "../contract/errors.ts";
import type { Operation } from "./openapi-document.ts";

/** Which codes an operation answers with under a status. What follows from its shape is derived, the rest is listed. */

const OWN_CODES: Readonly<Record<string, readonly ErrorCode[]>> = {
  claimTrialKey: ["RATE_LIMITED", "TRIAL_ALREADY_CLAIMED"],
  createApiKey: ["SCOPE_NOT_GRANTABLE", "PAID_ACCESS_REQUIRED", "API_KEY_LIMIT_REACHED"],
  revokeApiKey: ["API_KEY_NOT_FOUND"],
  getAsset: ["ASSET_NOT_FOUND"],
  deleteAsset: ["ASSET_NOT_FOUND"],
  createUpload: ["UPLOAD_INTENT_INVALID", "ASSET_LIMIT_REACHED"],
  putUploadObject: ["UPLOAD_NOT_FOUND", "UPLOAD_ALREADY_COMPLETED", "UPLOAD_EXPIRED", "UPLOAD_MISMATCH"],
  proxyUploadObject: ["UPLOAD_NOT_FOUND", "UPLOAD_CLOSED", "UPLOAD_MISMATCH"],
  completeUpload: [
    "UPLOAD_NOT_FOUND",
    "UPLOAD_ALREADY_COMPLETED",
    "UPLOAD_EXPIRED",
    "UPLOAD_MISMATCH",
    "ASSET_REJECTED",
    "SERVICE_BUSY",
    "UPLOAD_SERVICE_NOT_CONFIGURED",
  ],
  getPreviewQuota: ["PREVIEW_UNAVAILABLE"],
  createPreview: [
    "ASSET_NOT_READY",
    "PREVIEW_RATE_LIMITED",
    "PREVIEW_QUOTA_EXCEEDED",
    "PREVIEW_RENDER_FAILED",
    "PREVIEW_UNAVAILABLE",
  ],
  createJob: [
    "PAYMENT_REQUIRED",
    "ASSET_NOT_READY",
    "CONTRACT_UNSUPPORTED",
    "SIZE_UNSUPPORTED",
    "FORMAT_UNSUPPORTED",
    "SLOT_UNSUPPORTED",
    "SLOT_COMBINATION_UNSUPPORTED",
    "ASSET_UNKNOWN",
    "VISUAL_ASSET_REQUIRED",
    "COPY_UNSUPPORTED",
    "SERVICE_BUSY",
  ],
  getJob: ["JOB_NOT_FOUND"],
  cancelJob: ["JOB_NOT_FOUND", "JOB_RUNNING"],
  getArtifact: ["ARTIFACT_NOT_FOUND"],
  getArtifactDownload: ["ARTIFACT_NOT_FOUND", "ARTIFACT_NOT_READY"],
  downloadArtifactFile: ["ARTIFACT_NOT_FOUND", "FILE_NOT_FOUND", "ARTIFACT_NOT_READY", "FILE_CORRUPT"],
  downloadLink: [
    "RATE_LIMITED",
    "LINK_INVALID",
    "ARTIFACT_NOT_FOUND",
    "FILE_NOT_FOUND",
    "ARTIFACT_NOT_READY",
    "FILE_CORRUPT",
  ],
  createDestination: [
    "ARTIFACT_NOT_FOUND",
    "DESTINATION_NOT_FOUND",
    "WORKSPACE_NOT_FOUND",
    "ARTIFACT_NOT_READY",
    "DESTINATION_DISABLED",
    "DESTINATION_PAUSED",
    "DESTINATION_LIMIT_REACHED",
    "ADDRESS_REFUSED",
  ],
  saveDestination: ["WORKSPACE_NOT_FOUND", "DESTINATION_LIMIT_REACHED", "ADDRESS_REFUSED"],
  listDestinations: ["WORKSPACE_NOT_FOUND"],
  removeDestination: ["WORKSPACE_NOT_FOUND", "DESTINATION_NOT_FOUND"],
  enableDestination: ["WORKSPACE_NOT_FOUND", "DESTINATION_NOT_FOUND"],
  rotateSigningSecret: [
    "WORKSPACE_NOT_FOUND",
    "DESTINATION_NOT_FOUND",
    "DESTINATION_DISABLED",
    "DESTINATION_LIMIT_REACHED",
  ],
  listDeliveries: ["WORKSPACE_NOT_FOUND"],
  getDelivery: ["WORKSPACE_NOT_FOUND", "DELIVERY_NOT_FOUND"],
  retryDelivery: [
    "WORKSPACE_NOT_FOUND",
    "DELIVERY_NOT_FOUND",
    "DESTINATION_DISABLED",
    "DESTINATION_PAUSED",
    "DELIVERY_NOT_RETRYABLE",
  ],
  getContract: ["CONTRACT_NOT_FOUND"],
  getHealth: ["SERVICE_UNAVAILABLE"],
  signUp: ["ORIGIN_NOT_ALLOWED", "SIGN_IN_BUSY"],
  signIn: ["ORIGIN_NOT_ALLOWED", "CREDENTIALS_INVALID", "SIGN_IN_BUSY"],
  changePassword: ["CREDENTIALS_INVALID", "SIGN_IN_BUSY"],
  startOAuth: ["ORIGIN_NOT_ALLOWED"],
  finishOAuth: ["OAUTH_REFUSED"],
  createWorkspace: ["WORKSPACE_LIMIT_REACHED"],
  getWorkspaceBalance: ["WORKSPACE_NOT_FOUND"],
  listWorkspaceUsage: ["WORKSPACE_NOT_FOUND"],
  listWorkspaceApiKeys: ["WORKSPACE_NOT_FOUND"],
  createWorkspaceApiKey: ["WORKSPACE_NOT_FOUND", "API_KEY_LIMIT_REACHED"],
  revokeWorkspaceApiKey: ["WORKSPACE_NOT_FOUND", "API_KEY_NOT_FOUND"],
  listWorkspaceJobs: ["WORKSPACE_NOT_FOUND"],
  listWorkspaceArtifacts: ["WORKSPACE_NOT_FOUND"],
  listMembers: ["WORKSPACE_NOT_FOUND"],
  removeMember: ["WORKSPACE_NOT_FOUND", "MEMBER_NOT_FOUND", "OWNER_NOT_REMOVABLE"],
  createInvitation: ["WORKSPACE_NOT_FOUND", "MEMBER_LIMIT_REACHED"],
  withdrawInvitation: ["WORKSPACE_NOT_FOUND", "INVITATION_NOT_FOUND"],
  acceptInvitation: ["INVITATION_NOT_FOUND", "WORKSPACE_LIMIT_REACHED"],
};

export const hasParameter = ({ parameters = [] }: Operation, name: string): boolean =>
  parameters.some((parameter) => parameter.name.toLowerCase() === name);

/** Codes that follow from what an operation takes and who may call it. */
function derivedCodes(operation: Operation): ErrorCode[] {
  const codes: ErrorCode[] = [
    "INVALID_REQUEST",
    "INTERNAL_ERROR",
    "SERVICE_NOT_CONFIGURED",
    "PAYLOAD_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
  ];
  if (operation["x-route-family"] !== undefined) codes.push("RATE_LIMITED");
  if (operation.requestBody?.content["application/json"]) codes.push("INVALID_JSON", "BODY_INCOMPLETE");
  if (hasParameter(operation, "before")) codes.push("INVALID_CURSOR");
  if (hasParameter(operation, "idempotency-key")) {
    codes.push("IDEMPOTENCY_KEY_REQUIRED", "IDEMPOTENCY_CONFLICT", "IDEMPOTENCY_IN_PROGRESS");
  }
  if (operation.security.some((scheme) => "accountSession" in scheme)) {
    codes.push("SESSION_MISSING", "SESSION_INVALID", "ORIGIN_NOT_ALLOWED");
    if (hasParameter(operation, "workspaceid") || hasParameter(operation, "artifactid")) {
      codes.push("ROLE_INSUFFICIENT");
    }
  } else if (operation.security.length > 0) {
    codes.push(
      "KEY_MISSING",
      "KEY_INVALID",
      "KEY_EXPIRED",
      "KEY_REVOKED",
      "WORKSPACE_INACTIVE",
      "SCOPE_MISSING",
    );
  }
  return codes;
}

/** The codes that an operation may answer with under a status, in the order of the error table. */
export function errorCodesOf(operation: Operation, status: number): ErrorCode[] {
  const possible = new Set<string>([...derivedCodes(operation), ...(OWN_CODES[operation.operationId] ?? [])]);
  return Object.entries(ERRORS).flatMap(([code, rule]) =>
    rule.status === status && possible.has(code) && isErrorCode(code) ? [code] : [],
  );
}

const isErrorCode = (code: string): code is ErrorCode => code in ERRORS;
