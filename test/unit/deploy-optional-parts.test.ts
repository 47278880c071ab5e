import { expect, it } from "vitest";
import { optionalFindings } from "../../scripts/deploy/optional-parts.ts";
import { LOCAL_OFFERS } from "../../scripts/run/emulators/price-list.ts";

/** Guarantee: a deployment without mail, payments or videos is whole; of one with half of any, the other half is named. */

const MAIL = { MAIL_FROM: "Packs <mail@packs.example>", PUBLIC_ORIGIN: "https://packs.example" };
const ALL = ["MAIL_API_KEY", "MAIL_WEBHOOK_SECRET", "STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"];

const statesOf = (
  variables: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
  { hasMailBinding = false, hasVideoQueue = true } = {},
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    optionalFindings({ variables, hasMailBinding, hasVideoQueue }, secrets).map(({ subject, state }) => [
      subject,
      state,
    ]),
  );

it("off, all are as they should be", () => {
  expect(statesOf({ MP4_OUTPUT: "off" }, [], { hasVideoQueue: false })).toEqual({
    "variable MAIL_FROM": "good",
    "variable BILLING_OFFERS": "good",
    "variable MP4_OUTPUT": "good",
  });
});

it("on, every part of mail and payments is looked for", () => {
  const variables = { ...MAIL, BILLING_OFFERS: LOCAL_OFFERS };
  expect(new Set(Object.values(statesOf(variables, ALL)))).toEqual(new Set(["good"]));
  expect(statesOf(variables, [])).toEqual({
    "variable MAIL_FROM": "good",
    "secret MAIL_API_KEY": "later",
    "secret MAIL_WEBHOOK_SECRET": "later",
    "variable BILLING_OFFERS": "good",
    "secret STRIPE_SECRET_KEY": "later",
    "secret STRIPE_WEBHOOK_SECRET": "later",
    "variable MP4_OUTPUT": "good",
  });
});

it("the platform's own mail needs no secret, and links need an address", () => {
  expect(statesOf({ MAIL_FROM: MAIL.MAIL_FROM }, [], { hasMailBinding: true })).toMatchObject({
    "variable MAIL_FROM": "good",
    "variable PUBLIC_ORIGIN": "missing",
  });
});

it("a secret without its variable, or a price list that is none, stops a deployment", () => {
  expect(statesOf({}, ["MAIL_API_KEY", "STRIPE_SECRET_KEY"])).toMatchObject({
    "variable MAIL_FROM": "missing",
    "variable BILLING_OFFERS": "missing",
  });
  expect(statesOf({ BILLING_OFFERS: "[]" }, ALL)).toMatchObject({ "variable BILLING_OFFERS": "missing" });
});

it("MP4 without a queue for videos, or set to neither value, stops a deployment", () => {
  const stateOf = (MP4_OUTPUT: unknown, hasVideoQueue: boolean) =>
    statesOf({ ...(MP4_OUTPUT !== undefined && { MP4_OUTPUT }) }, [], { hasVideoQueue })[
      "variable MP4_OUTPUT"
    ];
  for (const on of [undefined, "on"]) {
    expect([stateOf(on, true), stateOf(on, false)]).toEqual(["good", "missing"]);
  }
  expect(stateOf("ON", true)).toBe("missing");
});
