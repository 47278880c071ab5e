import { expect, it } from "vitest";
import {
  DELIVERY_ATTEMPTS_MAX,
  DELIVERY_BACKOFF_SECONDS,
  DELIVERY_FAILURE_CODES,
} from "#api/delivery-rules.ts";
import { attemptFailed } from "#domains/deliveries/delivery.ts";
import { secondsToNextDelivery } from "#domains/deliveries/retry-schedule.ts";
import { readCapabilities } from "#platform/bindings/capabilities.ts";
import { readRetryAfter } from "#platform/outbound/http-client.ts";

/** Deliveries are attempted on the published schedule. Loopback URLs are allowed only in local runs. */

it("API §12.5 deliveries wait as documented, and then are not retried any more", () => {
  const waits = Array.from({ length: DELIVERY_ATTEMPTS_MAX + 1 }, (_, index) =>
    secondsToNextDelivery(attemptFailed("RECEIVER_REFUSED", "", 500), index + 1),
  );
  expect(waits).toEqual([...DELIVERY_BACKOFF_SECONDS, null, null]);
  expect([...DELIVERY_BACKOFF_SECONDS].sort((left, right) => left - right)).toEqual(DELIVERY_BACKOFF_SECONDS);
});

it("every code either ends a delivery or is retried", () => {
  const ends = DELIVERY_FAILURE_CODES.filter(
    (code) => secondsToNextDelivery(attemptFailed(code, ""), 1) === null,
  );
  expect(ends).toEqual([
    ...[
      "ADDRESS_REFUSED",
      "DESTINATION_UNAVAILABLE",
      "ARTIFACT_UNAVAILABLE",
      "RECEIVER_GONE",
      "STORE_REFUSED",
    ],
  ]);
});

it.each([
  [null, 30],
  ["0", 30],
  ["90", 90],
  ["999999999", 21_600],
  ["-5", 30],
  ["soon", 30],
  ["1e9", 30],
  [new Date(60_000).toUTCString(), 60],
  [new Date(-60_000).toUTCString(), 30],
])("a Retry-After of %s makes the second wait %i s", (header, expected) => {
  const failure = attemptFailed("STORE_UNAVAILABLE", "", 503, readRetryAfter(header, 0));
  expect(secondsToNextDelivery(failure, 2)).toBe(expected);
});

const KEY = btoa("0123456789abcdef0123456789abcdef");
const origin = (vars: Record<string, string>) =>
  // A stand-in for the queue: these tests enqueue nothing.
  readCapabilities({ DELIVERY_QUEUE: {} as Queue, DELIVERY_ENCRYPTION_KEY: KEY, ...vars }).deliveries;

it("loopback URLs are allowed only on a developer's machine, and only if a variable allows them", () => {
  expect(origin({})?.addressRules).toEqual({ isLoopbackOpen: false });
  const asked = { ALLOW_LOOPBACK_DELIVERIES: "true" };
  expect(origin({ ...asked, ENVIRONMENT: "local" })?.addressRules).toEqual({ isLoopbackOpen: true });
  expect(origin({ ENVIRONMENT: "local" })?.addressRules).toEqual({ isLoopbackOpen: false });
  for (const ENVIRONMENT of ["production", "staging", "Local", ""]) {
    expect(origin({ ...asked, ENVIRONMENT })).toBeNull();
  }
  // Without the variable, the service is in production. An unknown value does not allow loopback.
  expect(origin(asked)).toBeNull();
  expect(origin({ ALLOW_LOOPBACK_DELIVERIES: "yes" })).toBeNull();
  expect(
    origin({ ALLOW_LOOPBACK_DELIVERIES: "yes", ENVIRONMENT: "local" })?.addressRules.isLoopbackOpen,
  ).toBe(false);
});

it.each([undefined, "", "short", btoa("too short"), `${KEY}=`, "a".repeat(64)])(
  "%j is rejected as an encryption key",
  (key) => {
    const vars = key === undefined ? {} : { DELIVERY_ENCRYPTION_KEY: key };
    expect(readCapabilities({ DELIVERY_QUEUE: {} as Queue, ...vars }).deliveries).toBeNull();
  },
);
