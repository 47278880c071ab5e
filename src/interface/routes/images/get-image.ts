import type { Context } from "hono";
import { LIMITS } from "#api/limits.ts";
import { IMAGE_TYPES, imageUrlParams, imageUrlQuery } from "#api/schemas/image.ts";
import {
  hashImage,
  type ImageLink,
  isSignedBy,
  linkInvalid,
  orderOfImage,
  readImageLink,
} from "#domains/images/image-link.ts";
import { readOpenSecret, readSecretName } from "#domains/images/image-secrets.ts";
import { type OpenSecret, recentSecret, type VerifiedImage } from "#domains/images/recent-images.ts";
import { imageObjectKey } from "#domains/images/stored-image.ts";
import { PUBLIC } from "#interface/http/access.ts";
import { clientAddress, clientNetworks } from "#interface/http/client-network.ts";
import { type AppEnv, finishAfterDisconnect } from "#interface/http/context.ts";
import { isNoneMatchHit } from "#interface/http/downloads.ts";
import { acceptedValue, RefusedRequest, refused } from "#interface/http/envelope.ts";
import { orderDeps } from "#interface/http/operation-deps.ts";
import { countInIsolate } from "#interface/http/rate-limit.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute } from "#interface/http/route.ts";
import { imageHeaders } from "#interface/http/verified-images.ts";
import { routeToDatabase } from "#interface/http/workspace-database.ts";
import { drawImage, type RequestedImage, untilDrawn } from "#operations/draw-image.ts";
import { overridden } from "#platform/bindings/env.ts";
import { PACK_ERRORS } from "../jobs/quote-job.ts";

/** Reads the secret named by a URL; null if it does not exist. */
async function lookUp(c: Context<AppEnv>, key: string): Promise<OpenSecret | null> {
  const name = readSecretName(key);
  if (name === null) return null;
  const { databases } = requireCapability(c, "database");
  const { encryption } = requireCapability(c, "deliveries");
  const nowMs = c.get("nowMs");
  const secret = await readOpenSecret({ databases, encryption }, name, nowMs);
  c.env.recentImages.secrets.set(key, { secret, readAtMs: nowMs });
  return secret;
}

/**
 * The secret that signed a link, cached per isolate. An invalid signature is 403 LINK_INVALID and counts by network.
 * After too many, the network gets 429 instead of a database lookup, but still gets images of cached secrets.
 */
async function verify(c: Context<AppEnv>, link: ImageLink): Promise<OpenSecret> {
  const { key } = link.query;
  const nowMs = c.get("nowMs");
  const { network } = clientNetworks(clientAddress(c));
  let secret = recentSecret(c.env.recentImages, key, nowMs);
  if (secret === undefined) {
    const full = c.env.refusedImageUrls.refusal(network, nowMs);
    if (full !== null) throw new RefusedRequest(full);
    secret = await lookUp(c, key);
  }
  if (secret !== null && (await isSignedBy(secret.secret, link))) return secret;
  c.env.refusedImageUrls.count(network, nowMs);
  throw new RefusedRequest(linkInvalid());
}

/**
 * Renders the image and waits for it. The secret is read from the database again, so that a revoked one renders
 * nothing.
 */
async function draw(c: Context<AppEnv>, link: ImageLink, imageHash: string): Promise<void> {
  countInIsolate(c, "undrawn-images", imageHash, LIMITS.undrawnImageRequestsMax);
  const { sizeId, format, query } = link;
  const secret = await lookUp(c, query.key);
  if (secret === null) throw new RefusedRequest(linkInvalid());
  const { key: _key, exp: _exp, ...parameters } = query;
  const request = acceptedValue(orderOfImage(sizeId, format, parameters));
  routeToDatabase(c, secret);
  const { workspaceId, imageSecretId } = secret;
  const nowMs = c.get("nowMs");
  const image: RequestedImage = { workspaceId, imageHash, imageSecretId, request, nowMs };
  const deps = {
    ...orderDeps(c),
    newImagesPerDay: overridden(c.env.bindings.IMAGES_DAILY, LIMITS.newImagesPerDay),
  };
  acceptedValue(await finishAfterDisconnect(c, drawImage(deps, image)));
  acceptedValue(await untilDrawn(deps.db, image));
}

const text = (description: string, example: string) => ({ description, schema: { type: "string" }, example });

export const getImageRoute = defineRoute({
  operationId: "getImage",
  route: "GET /i/{signature}/{file}",
  summary: "Get the image of a signed URL",
  description:
    "For `<img>`, email and `og:image`. The first request renders the image and costs one credit, like a job of " +
    "one size; later requests return the stored image. The parameters alone identify an image, not its secret or " +
    `expiry. A workspace renders at most ${LIMITS.newImagesPerMinute} new images per minute and ` +
    `${LIMITS.newImagesPerDay} in 24 hours. URLs with an invalid signature count by network.`,
  access: PUBLIC,
  needs: ["database", "storage", "queue", "deliveries"],
  errors: [
    "LINK_INVALID",
    "RATE_LIMITED",
    "IMAGE_FAILED",
    "IMAGE_NOT_READY",
    "PAYMENT_REQUIRED",
    "EMAIL_NOT_CONFIRMED",
    ...PACK_ERRORS,
  ],
  params: imageUrlParams,
  query: imageUrlQuery,
  ifNoneMatch:
    "`ETag` of an earlier response. Returns 304 while the URL is valid, since an image never changes.",
  responses: {
    200: {
      description: "The image",
      bytes: Object.values(IMAGE_TYPES),
      headers: {
        ETag: text("Identifies the image: equal parameters have equal tags.", '"9f86d081884c7d65"'),
        "Cache-Control": text(
          "One hour, or less if the URL expires sooner.",
          "public, max-age=3600, immutable",
        ),
      },
    },
    304: { description: "The caller has this image" },
  },
  handler: async (c, { param, query }) => {
    if (c.req.raw.url.length > LIMITS.imageUrlCharactersMax) {
      throw refused(
        "INVALID_REQUEST",
        `An image URL has at most ${LIMITS.imageUrlCharactersMax} characters.`,
      );
    }
    const link = acceptedValue(readImageLink(param, query, c.get("nowMs")));
    const { workspaceId } = await verify(c, link);
    const imageHash = await hashImage(workspaceId, link);
    const objectKey = imageObjectKey({ workspaceId, imageHash });
    const image: VerifiedImage = {
      ...{ objectKey, etag: `"${imageHash}"`, contentType: IMAGE_TYPES[link.format] },
      ...{ expiresAtMs: link.expiresAtMs, key: query.key },
    };
    const headers = imageHeaders(image, c.get("nowMs"));
    const held = c.req.header("If-None-Match");
    // `*` asks whether an image exists, which only storage can answer.
    if (held !== "*" && isNoneMatchHit(held, image.etag)) return c.body(null, 304, headers);
    const bucket = requireCapability(c, "storage");
    const read = (): Promise<R2Object | R2ObjectBody | null> =>
      c.req.raw.method === "HEAD" ? bucket.head(objectKey) : bucket.get(objectKey);
    let object = await read();
    if (object === null) {
      await draw(c, link, imageHash);
      object = await read();
    }
    if (object === null) throw new Error("a drawn image is not in storage");
    c.env.recentImages.verified.set(c.req.raw.url, image);
    const sized = { ...headers, "Content-Length": String(object.size) };
    const body = "body" in object ? object.body : null;
    return body === null ? c.body(null, 200, sized) : c.body(body, 200, sized);
  },
});
