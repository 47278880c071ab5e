import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { newSigningSecret, signatureHeaders } from "#domains/deliveries/webhook/webhook-signature.ts";
import { SignatureError, webhooks } from "../../sdk/src/index.ts";

const SECRET = newSigningSecret();
const BODY = JSON.stringify({
  type: "job.succeeded",
  timestamp: "2026-06-18T12:00:00.000Z",
  data: { job: {} },
});
const sign = (secrets: readonly string[], body = BODY, atMs = Date.now()) =>
  signatureHeaders(secrets, "0199f0d2-5e6f-7a0b-9c1d-2e3f4a5b6c7d", atMs, body);

describe("webhooks.unwrap", () => {
  it("returns what the service signed, from headers of every kind and from bytes", async () => {
    const headers = await sign([SECRET]);
    const message = await webhooks.unwrap(BODY, headers, SECRET);
    expect(message.type).toBe("job.succeeded");
    expect(await webhooks.unwrap(BODY, new Headers(headers), SECRET)).toEqual(message);
    const shouted = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    );
    expect(await webhooks.unwrap(new TextEncoder().encode(BODY), shouted, SECRET)).toEqual(message);
  });

  it("accepts signatures of another Standard Webhooks library", async () => {
    const at = new Date();
    const signature = new Webhook(SECRET).sign("msg_1", at, BODY);
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
      "webhook-signature": signature,
    };
    expect((await webhooks.unwrap(BODY, headers, SECRET)).type).toBe("job.succeeded");
  });

  it("accepts either of two secrets during a rotation", async () => {
    const old = newSigningSecret();
    const headers = await sign([SECRET, old]);
    for (const secret of [SECRET, old]) await webhooks.unwrap(BODY, headers, secret);
  });

  it.each([
    ["another body", async () => [BODY.replace("succeeded", "failed"), await sign([SECRET])] as const],
    ["another secret", async () => [BODY, await sign([newSigningSecret()])] as const],
    ["an old message", async () => [BODY, await sign([SECRET], BODY, Date.now() - 301_000)] as const],
    [
      "a message of the future",
      async () => [BODY, await sign([SECRET], BODY, Date.now() + 302_000)] as const,
    ],
    ["no headers", async () => [BODY, {}] as const],
    [
      "a signature that is none",
      async () => [BODY, { ...(await sign([SECRET])), "webhook-signature": "v1,§§ v2,x" }] as const,
    ],
    [
      "a time that is none",
      async () => [BODY, { ...(await sign([SECRET])), "webhook-timestamp": "soon" }] as const,
    ],
    ["signed bytes that are no message", async () => ["[]", await sign([SECRET], "[]")] as const],
  ])("rejects %s", async (_, make) => {
    const [body, headers] = await make();
    await expect(webhooks.unwrap(body, headers, SECRET)).rejects.toBeInstanceOf(SignatureError);
  });

  it("reports a malformed secret", async () => {
    await expect(webhooks.unwrap(BODY, await sign([SECRET]), "whsec_§")).rejects.toThrow(
      "The secret is invalid",
    );
  });
});
