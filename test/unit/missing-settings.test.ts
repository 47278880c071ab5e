import { expect, it } from "vitest";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import type { Env } from "#platform/bindings/env.ts";
import { isCapability, missingSettings } from "#platform/bindings/missing-settings.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
// A stand-in for bindings, since only their presence is checked.
const THERE = {} as never;
const COMPLETE = {
  DB: THERE,
  BUCKET: THERE,
  RENDER_QUEUE: THERE,
  VIDEO_QUEUE: THERE,
  DELIVERY_QUEUE: THERE,
  IMPORT_QUEUE: THERE,
  SWEEP_QUEUE: THERE,
  RATE_LIMIT_WINDOW: THERE,
  IDEMPOTENCY_LOCK: THERE,
  PREVIEW_QUOTA: THERE,
  KEY_PEPPER: SECRET,
  DOWNLOAD_SIGNING_KEY: SECRET,
  TRIAL_SECRET: SECRET,
  AUTH_SECRET: SECRET,
  DELIVERY_ENCRYPTION_KEY: btoa(SECRET),
} satisfies Env;

const MAIL = {
  MAIL_QUEUE: THERE,
  MAIL_FROM: "Packs <mail@packs.example>",
  MAIL_API_KEY: SECRET,
  PUBLIC_ORIGIN: "https://packs.example",
} satisfies Env;

const ENVIRONMENTS: readonly (readonly [string, Env])[] = [
  ["complete", COMPLETE],
  ["empty", {}],
  ["loopback in production", { ...COMPLETE, ALLOW_LOOPBACK_DELIVERIES: "true" }],
  ["loopback on a laptop", { ...COMPLETE, ALLOW_LOOPBACK_DELIVERIES: "true", ENVIRONMENT: "local" }],
  ...["https://mail.example", "http://127.0.0.1:9", "http://mail.example"].map(
    (address) => [`mail to ${address}`, { ...COMPLETE, ...MAIL, MAIL_API_URL: address }] as const,
  ),
  ...Object.keys(COMPLETE).map((name) => [`without ${name}`, { ...COMPLETE, [name]: undefined }] as const),
  ...Object.entries(COMPLETE)
    .filter(([, value]) => typeof value === "string")
    .map(([name]) => [`with an invalid ${name}`, { ...COMPLETE, [name]: "short" }] as const),
];

it.each(ENVIRONMENTS)("%s: a capability is null if and only if a missing setting is reported", (_, env) => {
  for (const [name, value] of Object.entries(readCapabilities(env))) {
    expect(isCapability(name) && missingSettings(env, name).length > 0, name).toBe(value === null);
  }
});

it("a mail provider's key is sent only over https, except to this machine", () => {
  const isOpen = (address: string) =>
    readCapabilities({ ...COMPLETE, ...MAIL, MAIL_API_URL: address }).mail !== null;
  expect(["https://mail.example", "http://localhost:9", "http://mail.example"].map(isOpen)).toEqual([
    true,
    true,
    false,
  ]);
});
