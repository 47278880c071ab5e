import { expect, it } from "vitest";
import { optionalFindings } from "../../scripts/deploy/optional-parts.ts";
import { LOCAL_OFFERS } from "../../scripts/run/emulators/price-list.ts";

/** Guarantee: a deployment without mail or payments is whole; one with half of either is told what the other half is. */

const MAIL = { MAIL_FROM: "Packs <mail@packs.example>", PUBLIC_ORIGIN: "https://packs.example" };
const ALL = ["MAIL_API_KEY", "MAIL_WEBHOOK_SECRET", "STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"];

const statesOf = (
  variables: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
  hasMailBinding = false,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    optionalFindings({ variables, hasMailBinding }, secrets).map(({ subject, state }) => [subject, state]),
  );

it("off, both are as they should be", () => {
  expect(statesOf({}, [])).toEqual({ "variable MAIL_FROM": "good", "variable BILLING_OFFERS": "good" });
});

it("on, every part of both is looked for", () => {
  const variables = { ...MAIL, BILLING_OFFERS: LOCAL_OFFERS };
  expect(new Set(Object.values(statesOf(variables, ALL)))).toEqual(new Set(["good"]));
  expect(statesOf(variables, [])).toEqual({
    "variable MAIL_FROM": "good",
    "secret MAIL_API_KEY": "later",
    "secret MAIL_WEBHOOK_SECRET": "later",
    "variable BILLING_OFFERS": "good",
    "secret STRIPE_SECRET_KEY": "later",
    "secret STRIPE_WEBHOOK_SECRET": "later",
  });
});

it("the platform's own mail needs no secret, and links need an address", () => {
  expect(statesOf({ MAIL_FROM: MAIL.MAIL_FROM }, [], true)).toMatchObject({
    "variable MAIL_FROM": "good",
    "variable PUBLIC_ORIGIN": "missing",
  });
});

it("a secret without its variable, or a price list that is none, stops a deployment", () => {
  expect(statesOf({}, ["MAIL_API_KEY", "STRIPE_SECRET_KEY"])).toEqual({
    "variable MAIL_FROM": "missing",
    "variable BILLING_OFFERS": "missing",
  });
  expect(statesOf({ BILLING_OFFERS: "[]" }, ALL)).toMatchObject({ "variable BILLING_OFFERS": "missing" });
});
