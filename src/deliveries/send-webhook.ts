import { DELIVERY_LIMITS } from "../contract/deliveries.ts";
import { discard, outbound } from "../platform/outbound.ts";
import { type AttemptResult, attemptFailed, readRetryAfter } from "./delivery.ts";
import { signatureHeaders } from "./signature.ts";

/** One message to one address. */
export interface WebhookPost {
  readonly url: URL;
  readonly messageId: string;
  readonly payload: string;
  readonly signingSecrets: readonly string[];
  readonly nowMs: number;
}

/**
 * Posts a signed message. Any 2xx is delivery; 410 says that the receiver is gone for good; everything else is tried
 * again. Redirects are not followed, and of the answer nothing but its status is read.
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
    response = await outbound.fetch(request);
  } catch {
    return attemptFailed("RECEIVER_UNREACHABLE", "The receiver could not be reached in time.");
  }
  await discard(response);
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
