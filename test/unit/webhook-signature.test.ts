import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import {
  newSigningSecret,
  rotateSecrets,
  signatureHeaders,
  signingSecretsOf,
  type WebhookSecrets,
} from "#domains/deliveries/webhook/webhook-signature.ts";

const ID = "0199f0d2-5e6f-7a0b-9c1d-2e3f4a5b6c7d";
const PAYLOAD = JSON.stringify({ type: "job.succeeded", data: { text: "Grüße, 日本" } });
const DAY_MS = 24 * 60 * 60_000;

const headersOf = async (secrets: readonly string[], nowMs = Date.now()) => ({
  ...(await signatureHeaders(secrets, ID, nowMs, PAYLOAD)),
});

it("the library verifies a message", async () => {
  const secret = newSigningSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(new Webhook(secret).verify(PAYLOAD, await headersOf([secret]))).toEqual(JSON.parse(PAYLOAD));
});

it("API §6.6 signs with both secrets for a day after a rotation, then with the new one only", async () => {
  const first: WebhookSecrets = {
    url: "https://a.example/",
    signingSecret: newSigningSecret(),
    previous: [],
  };
  const nowMs = Date.now();
  const second = newSigningSecret();
  const rotated = rotateSecrets(first, second, nowMs);
  if (rotated === null) throw new Error("the secret was not rotated");
  const both = await headersOf(signingSecretsOf(rotated, nowMs + DAY_MS - 1));
  for (const secret of [first.signingSecret, second]) new Webhook(secret).verify(PAYLOAD, both);
  const one = await headersOf(signingSecretsOf(rotated, nowMs + DAY_MS));
  new Webhook(second).verify(PAYLOAD, one);
  expect(() => new Webhook(first.signingSecret).verify(PAYLOAD, one)).toThrow();
});

it("however often a secret is rotated, every secret that may be in use stays stored", () => {
  let secrets: WebhookSecrets = { url: "", signingSecret: "whsec_0", previous: [] };
  for (let rotation = 1; rotation < 5; rotation += 1) {
    const rotated = rotateSecrets(secrets, `whsec_${rotation}`, rotation);
    if (rotated === null) throw new Error("the secret was not rotated");
    secrets = rotated;
  }
  expect(signingSecretsOf(secrets, 5)).toEqual(["whsec_4", "whsec_3", "whsec_2", "whsec_1", "whsec_0"]);
  expect(rotateSecrets(secrets, "whsec_5", 5)).toBeNull();
  // A day after the first rotation, the oldest secret has expired and is dropped.
  expect(signingSecretsOf(rotateSecrets(secrets, "whsec_5", DAY_MS + 1) ?? secrets, DAY_MS + 1)).toEqual([
    "whsec_5",
    "whsec_4",
    "whsec_3",
    "whsec_2",
    "whsec_1",
  ]);
});
