import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../http/context.ts";
import { addDocumentation } from "../http/documentation.ts";
import { cancelJob } from "./cancel-job.ts";
import { claimTrialKey } from "./claim-trial-key.ts";
import { completeUpload } from "./complete-upload.ts";
import { createApiKey } from "./create-api-key.ts";
import { createJob } from "./create-job.ts";
import { createPreview } from "./create-preview.ts";
import { createUpload } from "./create-upload.ts";
import { deleteAsset } from "./delete-asset.ts";
import { createDestination } from "./destinations-not-configured.ts";
import { downloadArtifactFile } from "./download-artifact-file.ts";
import { downloadLink } from "./download-link.ts";
import { getArtifact } from "./get-artifact.ts";
import { getArtifactDownload } from "./get-artifact-download.ts";
import { getAsset } from "./get-asset.ts";
import { getBalance } from "./get-balance.ts";
import { getContract } from "./get-contract.ts";
import { getHealth } from "./get-health.ts";
import { getJob } from "./get-job.ts";
import { getPreviewQuota } from "./get-preview-quota.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { listAssets } from "./list-assets.ts";
import { listContracts } from "./list-contracts.ts";
import { listJobs } from "./list-jobs.ts";
import { listUsage } from "./list-usage.ts";
import { proxyUploadObject, putUploadObject } from "./put-upload-object.ts";
import { revokeApiKey } from "./revoke-api-key.ts";

/** Every operation of the interface, in the order of the documentation. One line a room, so that edits stay apart. */
export function addRoutes(app: OpenAPIHono<AppEnv>): void {
  app.openapiRoutes([claimTrialKey, getBalance, listUsage] as const);
  app.openapiRoutes([listApiKeys, createApiKey, revokeApiKey] as const);
  app.openapiRoutes([listContracts, getContract] as const);
  app.openapiRoutes([listAssets, getAsset, deleteAsset] as const);
  app.openapiRoutes([createUpload, putUploadObject, proxyUploadObject, completeUpload] as const);
  app.openapiRoutes([getPreviewQuota, createPreview] as const);
  app.openapiRoutes([listJobs, createJob, getJob, cancelJob] as const);
  app.openapiRoutes([getArtifact, getArtifactDownload, downloadArtifactFile, downloadLink] as const);
  app.openapiRoutes([createDestination, getHealth] as const);
  addDocumentation(app);
}
