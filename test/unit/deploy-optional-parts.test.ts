import { expect, it } from "vitest";
import { optionalFindings } from "../../scripts/deploy/optional-parts.ts";
import { LOCAL_OFFERS } from "../../scripts/run/emulators/price-list.ts";

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

it("the check passes if all optional parts are off", () => {
  expect(statesOf({ MP4_OUTPUT: "off" }, [], { hasVideoQueue: false })).toEqual({
    "variable MAIL_FROM": "good",
    "variable BILLING_OFFERS": "good",
    "variable MP4_OUTPUT": "good",
  });
});

it("the check covers every setting of mail and payments if they are on", () => {
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

it("mail by the platform's binding needs no secret, but needs an origin for links", () => {
  expect(statesOf({ MAIL_FROM: MAIL.MAIL_FROM }, [], { hasMailBinding: true })).toMatchObject({
    "variable MAIL_FROM": "good",
    "variable PUBLIC_ORIGIN": "missing",
  });
});

it("a secret without its variable is rejected, and so is an invalid price list", () => {
  expect(statesOf({}, ["MAIL_API_KEY", "STRIPE_SECRET_KEY"])).toMatchObject({
    "variable MAIL_FROM": "missing",
    "variable BILLING_OFFERS": "missing",
  });
  expect(statesOf({ BILLING_OFFERS: "[]" }, ALL)).toMatchObject({ "variable BILLING_OFFERS": "missing" });
});

it("MP4 output is rejected without a queue for videos, and with an invalid setting", () => {
  const stateOf = (MP4_OUTPUT: unknown, hasVideoQueue: boolean) =>
    statesOf({ ...(MP4_OUTPUT !== undefined && { MP4_OUTPUT }) }, [], { hasVideoQueue })[
      "variable MP4_OUTPUT"
    ];
  for (const on of [undefined, "on"]) {
    expect([stateOf(on, true), stateOf(on, false)]).toEqual(["good", "missing"]);
  }
  expect(stateOf("ON", true)).toBe("missing");
});
