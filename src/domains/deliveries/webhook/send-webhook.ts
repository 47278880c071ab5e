import { DELIVERY_LIMITS } from "#api/delivery-rules.ts";
import type { DownloadLinks } from "#api/schemas/artifact.ts";
import { type DetailedArtifact, presentArtifact } from "#domains/artifacts/artifact.ts";
import { toTimestamp } from "#platform/clock.ts";
import { discard, httpClient, readRetryAfter } from "#platform/outbound/http-client.ts";
import { type AttemptResult, attemptFailed } from "../delivery.ts";
import type { Delivery } from "../delivery-store.ts";
import { signatureHeaders } from "./webhook-signature.ts";

/** A Standard Webhooks payload: type, time of the event, data. */
const envelope = ({ eventType, createdAtMs }: Delivery, data: object): string =>
  JSON.stringify({ type: eventType, timestamp: toTimestamp(createdAtMs), data });

const byteLengthOf = (text: string): number => new TextEncoder().encode(text).byteLength;

/** The payload of a workspace event. */
export const eventMessage = (delivery: Delivery, data: object): string =>
  envelope(delivery, {
    deliveryId: delivery.deliveryId,
    workspaceId: delivery.workspaceId,
    livemode: true,
    ...data,
  });

/**
 * The payload of an artifact: manifest and download links, in the most detail that fits in a message. `full` has all;
 * `brief` omits the files' compliance and layout; `summary` omits the files and their links. Each has the link to the
 * ZIP of the pack, which contains the whole manifest.
 */
export function artifactMessage(
  delivery: Delivery,
  artifact: DetailedArtifact,
  links: DownloadLinks,
): string {
  const manifest = presentArtifact(artifact);
  const { files: fileLinks, ...download } = links;
  const messageOf = (detail: "full" | "brief" | "summary", files: object[], ofFiles: object[]): string =>
    envelope(delivery, {
      deliveryId: delivery.deliveryId,
      workspaceId: delivery.workspaceId,
      livemode: manifest.livemode,
      detail,
      fileCount: manifest.files.length,
      artifact: { ...manifest, files },
      download: { ...download, files: ofFiles },
    });
  const briefFiles = manifest.files.map(({ compliance: _compliance, layout: _layout, ...file }) => file);
  const briefLinks = fileLinks.map(({ fileId, url }) => ({ fileId, url }));
  const candidates = [
    () => messageOf("full", manifest.files, fileLinks),
    () => messageOf("brief", briefFiles, briefLinks),
    () => messageOf("summary", [], []),
  ];
  for (const candidate of candidates) {
    const text = candidate();
    if (byteLengthOf(text) <= DELIVERY_LIMITS.webhookMessageBytesMax) return text;
  }
  throw new Error("a message without files is too long");
}

export interface WebhookPost {
  readonly url: URL;
  readonly messageId: string;
  readonly payload: string;
  readonly signingSecrets: readonly string[];
  readonly nowMs: number;
}

/**
 * Posts a signed message. 2xx is success, 410 means that the receiver is gone, and everything else may be retried. Does
 * not follow redirects; reads only the response's status.
 */
export async function sendWebhook(post: WebhookPost): Promise<AttemptResult> {
  const { nowMs } = post;
  const request = new Request(post.url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "User-Agent": "creative-packs-webhooks/1",
      ...(await signatureHeaders(post.signingSecrets, post.messageId, nowMs, post.payload)),
    },
    body: post.payload,
    redirect: "manual",
    signal: AbortSignal.timeout(DELIVERY_LIMITS.webhookTimeoutMs),
  });
  let response: Response;
  try {
    response = await httpClient.fetch(request);
  } catch {
    return attemptFailed("RECEIVER_UNREACHABLE", "The receiver could not be reached in time.");
  }
  discard(response);
  const { status } = response;
  if (status >= 200 && status < 300) return { kind: "delivered", receiverStatus: status };
  if (status === 410) {
    return attemptFailed("RECEIVER_GONE", "The receiver answered 410; the destination is disabled.", status);
  }
  const isRedirect = status >= 300 && status < 400;
  return attemptFailed(
    "RECEIVER_REFUSED",
    isRedirect
      ? `The receiver answered ${status}; redirects are not followed.`
      : `The receiver answered ${status}.`,
    status,
    readRetryAfter(response.headers.get("Retry-After"), nowMs),
  );
}
