import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../http/context.ts";
import { addHomePage } from "../http/home-page.ts";
import { addRoute, type Route } from "../http/route.ts";
import { addDocumentation } from "../openapi/documentation.ts";
import { changePasswordRoute } from "./account/change-password.ts";
import { changeEmailRoute, confirmEmailRoute, sendConfirmationRoute } from "./account/email.ts";
import { changeLanguageRoute } from "./account/language.ts";
import { finishOAuthRoute, startOAuthRoute } from "./account/oauth.ts";
import { askPasswordResetRoute, resetPasswordRoute } from "./account/reset-password.ts";
import { getSessionRoute, signInRoute, signOutRoute } from "./account/session.ts";
import { signUpRoute } from "./account/sign-up.ts";
import { downloadArtifactFileRoute } from "./artifacts/download-artifact-file.ts";
import { downloadLinkRoute } from "./artifacts/download-link.ts";
import { getArtifactRoute } from "./artifacts/get-artifact.ts";
import { getArtifactDownloadRoute } from "./artifacts/get-artifact-download.ts";
import { listArtifactsRoute, listWorkspaceArtifactsRoute } from "./artifacts/list-artifacts.ts";
import { completeUploadRoute } from "./assets/complete-upload.ts";
import { createUploadRoute } from "./assets/create-upload.ts";
import { deleteAssetRoute } from "./assets/delete-asset.ts";
import { getAssetRoute } from "./assets/get-asset.ts";
import { getAssetContentRoute } from "./assets/get-asset-content.ts";
import { importAssetRoute } from "./assets/import-asset.ts";
import { listAssetsRoute } from "./assets/list-assets.ts";
import { proxyUploadObjectRoute, putUploadObjectRoute } from "./assets/send-upload-bytes.ts";
import { getBalanceRoute, getWorkspaceBalanceRoute } from "./balance/get-balance.ts";
import { listUsageRoute, listWorkspaceUsageRoute } from "./balance/list-usage.ts";
import { getBillingRoute, listPaymentsRoute, setNoticesRoute } from "./billing/billing.ts";
import { createCheckoutRoute } from "./billing/create-checkout.ts";
import { openPortalRoute, removeTopUpRoute, setTopUpRoute } from "./billing/manage.ts";
import { receiveBillingEventRoute } from "./billing/receive-event.ts";
import { getContractRoute } from "./catalogue/get-contract.ts";
import { listContractsRoute } from "./catalogue/list-contracts.ts";
import {
  createDeliveryRoute,
  getDeliveryRoute,
  listDeliveriesRoute,
  retryDeliveryRoute,
} from "./deliveries/deliveries.ts";
import {
  enableDestinationRoute,
  listDestinationsRoute,
  removeDestinationRoute,
  rotateSigningSecretRoute,
  saveDestinationRoute,
  testDestinationRoute,
} from "./deliveries/destinations.ts";
import { cancelJobRoute } from "./jobs/cancel-job.ts";
import { createJobRoute } from "./jobs/create-job.ts";
import { getJobRoute } from "./jobs/get-job.ts";
import { listJobsRoute, listWorkspaceJobsRoute } from "./jobs/list-jobs.ts";
import { quoteJobRoute } from "./jobs/quote-job.ts";
import { claimTrialKeyRoute } from "./keys/claim-trial-key.ts";
import { createApiKeyRoute, createWorkspaceApiKeyRoute } from "./keys/create-api-key.ts";
import { createSessionKeyRoute } from "./keys/create-session-key.ts";
import { listApiKeysRoute, listWorkspaceApiKeysRoute } from "./keys/list-api-keys.ts";
import { revokeApiKeyRoute, revokeWorkspaceApiKeyRoute } from "./keys/revoke-api-key.ts";
import { updateWorkspaceApiKeyRoute } from "./keys/update-api-key.ts";
import { receiveMailReportRoute } from "./mail/receive-report.ts";
import { createPreviewRoute } from "./previews/create-preview.ts";
import { getPreviewQuotaRoute } from "./previews/get-preview-quota.ts";
import { getHealthRoute } from "./service/get-health.ts";
import { getServiceRoute } from "./service/get-service.ts";
import {
  createShareRoute,
  listShareCommentsRoute,
  listSharesRoute,
  mailShareRoute,
  revokeShareRoute,
} from "./shares/shares.ts";
import { createShareCommentRoute, getSharedFileRoute, getSharedPackRoute } from "./shares/visits.ts";
import { getStatementRoute, getWorkspaceStatementRoute } from "./usage/get-statement.ts";
import { getUsageSummaryRoute, getWorkspaceUsageSummaryRoute } from "./usage/get-usage-summary.ts";
import {
  acceptInvitationRoute,
  createInvitationRoute,
  listMembersRoute,
  removeMemberRoute,
  withdrawInvitationRoute,
} from "./workspaces/members.ts";
import { createWorkspaceRoute, listWorkspacesRoute } from "./workspaces/workspaces.ts";

/** Every operation of the API, in the order of the documentation. */
export const ROUTES: readonly Route[] = [
  ...[claimTrialKeyRoute, getBalanceRoute, listUsageRoute, getUsageSummaryRoute, getStatementRoute],
  ...[listApiKeysRoute, createApiKeyRoute, revokeApiKeyRoute],
  ...[listContractsRoute, getContractRoute],
  ...[listAssetsRoute, getAssetRoute, getAssetContentRoute, deleteAssetRoute],
  ...[createUploadRoute, putUploadObjectRoute, proxyUploadObjectRoute, completeUploadRoute],
  ...[importAssetRoute],
  ...[getPreviewQuotaRoute, createPreviewRoute],
  ...[listJobsRoute, createJobRoute, quoteJobRoute, getJobRoute, cancelJobRoute],
  ...[
    listArtifactsRoute,
    getArtifactRoute,
    getArtifactDownloadRoute,
    downloadArtifactFileRoute,
    downloadLinkRoute,
  ],
  ...[createShareRoute, listSharesRoute, revokeShareRoute, mailShareRoute, listShareCommentsRoute],
  ...[getSharedPackRoute, getSharedFileRoute, createShareCommentRoute],
  ...[saveDestinationRoute, listDestinationsRoute, removeDestinationRoute],
  ...[enableDestinationRoute, testDestinationRoute, rotateSigningSecretRoute],
  ...[createDeliveryRoute, listDeliveriesRoute, getDeliveryRoute, retryDeliveryRoute],
  ...[getBillingRoute, createCheckoutRoute, setNoticesRoute, listPaymentsRoute],
  ...[openPortalRoute, setTopUpRoute, removeTopUpRoute],
  ...[receiveBillingEventRoute, receiveMailReportRoute],
  ...[getServiceRoute, getHealthRoute],
  ...[signUpRoute, signInRoute, startOAuthRoute, finishOAuthRoute],
  ...[getSessionRoute, signOutRoute, changePasswordRoute],
  ...[askPasswordResetRoute, resetPasswordRoute],
  ...[sendConfirmationRoute, confirmEmailRoute, changeEmailRoute, changeLanguageRoute],
  ...[listWorkspacesRoute, createWorkspaceRoute, getWorkspaceBalanceRoute, listWorkspaceUsageRoute],
  ...[getWorkspaceUsageSummaryRoute, getWorkspaceStatementRoute],
  ...[listWorkspaceApiKeysRoute, createWorkspaceApiKeyRoute],
  ...[updateWorkspaceApiKeyRoute, revokeWorkspaceApiKeyRoute],
  ...[createSessionKeyRoute],
  ...[listWorkspaceJobsRoute, listWorkspaceArtifactsRoute],
  ...[listMembersRoute, removeMemberRoute, createInvitationRoute],
  ...[withdrawInvitationRoute, acceptInvitationRoute],
];

/** Adds every operation, its documentation and the home page to the application. */
export function addRoutes(app: OpenAPIHono<AppEnv>): void {
  for (const route of ROUTES) addRoute(app, route);
  addDocumentation(app, ROUTES);
  addHomePage(app);
}
