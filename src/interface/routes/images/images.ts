import type { Context } from "hono";
import { refuse, refuseMember } from "#api/errors.ts";
import { LIMITS } from "#api/limits.ts";
import {
  createdImageSecretSchema,
  createImageSecretSchema,
  createImageUrlSchema,
  imageSecretListSchema,
  imageSecretSchema,
  imageUrlSchema,
} from "#api/schemas/image.ts";
import { canonicalQuery, orderOfImage, signImage } from "#domains/images/image-link.ts";
import {
  createSecret,
  keyOfSecret,
  presentSecret,
  revokeSecret,
  secretToSignWith,
} from "#domains/images/image-secrets.ts";
import { secretsOfWorkspace } from "#domains/images/image-store.ts";
import { quoteJob } from "#domains/jobs/quote-job.ts";
import type { Principal } from "#domains/keys/principal.ts";
import { keyStatus } from "#domains/keys/store.ts";
import { apiKey } from "#interface/http/access.ts";
import { causeOf } from "#interface/http/audit-cause.ts";
import { type AppEnv, finishAfterDisconnect } from "#interface/http/context.ts";
import { acceptedValue, RefusedRequest, succeed } from "#interface/http/envelope.ts";
import { packChecks } from "#interface/http/operation-deps.ts";
import { publicOrigin } from "#interface/http/origin.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, defineTwins, success } from "#interface/http/route.ts";
import { latest } from "#platform/db/reader.ts";
import { PACK_ERRORS } from "../jobs/quote-job.ts";
import { getImageRoute } from "./get-image.ts";

const SCOPE = "images:write";

/** 403 SCOPE_NOT_GRANTABLE for a key with a budget, because image URLs are not charged to the budget. */
async function refuseBudgeted(c: Context<AppEnv>, key: Principal): Promise<void> {
  const standing = await keyStatus.first(latest(c.get("workspace").db), key);
  if (standing?.hasBudget !== true) return;
  throw new RefusedRequest(
    refuse(
      "SCOPE_NOT_GRANTABLE",
      "A key with a budget cannot sign image URLs: they are not charged to the budget.",
      {
        nextAction: "Use a key without a budget, or an account.",
      },
    ),
  );
}

const [createImageSecretRoute, createWorkspaceImageSecretRoute] = defineTwins({
  scope: SCOPE,
  isLiveOnly: true,
  window: "keys",
  errors: ["IMAGE_SECRET_LIMIT_REACHED"],
  json: createImageSecretSchema,
  responses: { 201: success(createdImageSecretSchema, "The secret, with its text") },
  forKey: {
    operationId: "createImageSecret",
    route: "POST /api/v1/image-secrets",
    summary: "Create a signing secret for image URLs",
    description:
      "Anyone with the secret can have images rendered, at one credit each within the workspace's limits, until it " +
      "is revoked. The secret is returned only here. A workspace has at most " +
      `${LIMITS.imageSecretsPerWorkspaceMax}. Keys that expire, have a budget or belong to a session cannot create ` +
      "one, because the secret would outlive them.",
    needs: ["database", "deliveries"],
    errors: ["IMAGE_SECRET_LIMIT_REACHED", "SCOPE_NOT_GRANTABLE"],
  },
  forMember: {
    operationId: "createWorkspaceImageSecret",
    route: "POST /api/account/workspaces/{workspaceId}/image-secrets",
    summary: "Create a signing secret for a workspace's image URLs",
    description: "For owners. The secret is returned only here.",
    needs: ["database", "deliveries"],
  },
  handler: async (c, { db, workspaceId, json: { name } }) => {
    const key: Principal | undefined = c.get("principal");
    if (key !== undefined) {
      if (key.isOfSession || key.expiresAt !== null) {
        throw new RefusedRequest(
          refuse(
            "SCOPE_NOT_GRANTABLE",
            "A key that ends creates no signing secret, which would outlive it.",
            {
              nextAction: "Use a key that does not expire, or an account.",
            },
          ),
        );
      }
      await refuseBudgeted(c, key);
    }
    const { encryption } = requireCapability(c, "deliveries");
    const { home } = requireCapability(c, "database");
    const request = { workspaceId, name, cause: causeOf(c) };
    const { stored, secret } = acceptedValue(await createSecret({ db, home, encryption }, request));
    return succeed(c, 201, { ...presentSecret(stored), secret });
  },
});

const [listImageSecretsRoute, listWorkspaceImageSecretsRoute] = defineTwins({
  scope: SCOPE,
  isLiveOnly: true,
  description: "Active secrets without their text, newest first.",
  window: "keys",
  responses: { 200: success(imageSecretListSchema, "The secrets") },
  forKey: {
    operationId: "listImageSecrets",
    route: "GET /api/v1/image-secrets",
    summary: "List the signing secrets for image URLs",
  },
  forMember: {
    operationId: "listWorkspaceImageSecrets",
    route: "GET /api/account/workspaces/{workspaceId}/image-secrets",
    summary: "List the signing secrets for a workspace's image URLs",
  },
  handler: async (c, { db, workspaceId }) => {
    const secrets = await secretsOfWorkspace.all(db, { workspaceId });
    return succeed(c, 200, { items: secrets.map(presentSecret) });
  },
});

const [revokeImageSecretRoute, revokeWorkspaceImageSecretRoute] = defineTwins({
  scope: SCOPE,
  isLiveOnly: true,
  description:
    "Its URLs no longer render images. Stored images are served for at most one more minute, and by caches for an " +
    "hour.",
  window: "keys",
  errors: ["IMAGE_SECRET_NOT_FOUND"],
  responses: { 200: success(imageSecretSchema, "The revoked secret") },
  forKey: {
    operationId: "revokeImageSecret",
    route: "DELETE /api/v1/image-secrets/{imageSecretId}",
    summary: "Revoke a signing secret for image URLs",
  },
  forMember: {
    operationId: "revokeWorkspaceImageSecret",
    route: "DELETE /api/account/workspaces/{workspaceId}/image-secrets/{imageSecretId}",
    summary: "Revoke a signing secret for a workspace's image URLs",
  },
  handler: async (c, { db, workspaceId, param: { imageSecretId } }) => {
    const revoked = acceptedValue(await revokeSecret(db, workspaceId, imageSecretId, causeOf(c)));
    c.env.recentImages.secrets.clear();
    return succeed(c, 200, presentSecret(revoked));
  },
});

const createImageUrlRoute = defineRoute({
  operationId: "createImageUrl",
  route: "POST /api/v1/image-urls",
  summary: "Sign an image URL",
  description:
    "Validates size, text, brand and assets like a job, and signs the URL with a secret of the workspace. Nothing " +
    "is rendered or charged until the URL is loaded. The SDK's `signImageUrl` creates the same URL without a " +
    "request. Keys with a budget cannot sign.",
  access: apiKey(SCOPE, { isLiveOnly: true }),
  needs: ["storage", "deliveries"],
  errors: ["IMAGE_SECRET_NOT_FOUND", "SCOPE_NOT_GRANTABLE", ...PACK_ERRORS],
  json: createImageUrlSchema,
  responses: { 200: success(imageUrlSchema, "The URL") },
  handler: async (c, { db, workspaceId, json }) => {
    const { sizeId, outputFormat = "png", parameters, expiresAt, imageSecretId } = json;
    await refuseBudgeted(c, c.get("principal"));
    const exp = expiresAt === undefined ? undefined : Math.floor(Date.parse(expiresAt) / 1_000);
    if (exp !== undefined && exp * 1_000 <= c.get("nowMs")) {
      throw new RefusedRequest(refuseMember("body", "expiresAt", "must be in the future"));
    }
    const request = acceptedValue(orderOfImage(sizeId, outputFormat, parameters));
    acceptedValue(
      await finishAfterDisconnect(
        c,
        quoteJob({ db, ...packChecks(c) }, { workspaceId, livemode: true }, request),
      ),
    );
    const { encryption } = requireCapability(c, "deliveries");
    const secret = acceptedValue(await secretToSignWith(db, encryption, workspaceId, imageSecretId));
    const file = `${sizeId}.${outputFormat}`;
    const query = canonicalQuery({ ...parameters, key: keyOfSecret(secret), exp: exp?.toString() });
    const url = `${publicOrigin(c)}/i/${await signImage(secret, file, query)}/${file}?${query}`;
    if (url.length > LIMITS.imageUrlCharactersMax) {
      const message = `make a URL of more than ${LIMITS.imageUrlCharactersMax} characters`;
      throw new RefusedRequest(refuseMember("body", "parameters", message));
    }
    return succeed(c, 200, { url });
  },
});

export const routes = [
  getImageRoute,
  createImageUrlRoute,
  ...[createImageSecretRoute, listImageSecretsRoute, revokeImageSecretRoute],
  ...[createWorkspaceImageSecretRoute, listWorkspaceImageSecretsRoute, revokeWorkspaceImageSecretRoute],
];
