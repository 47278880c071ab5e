import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { change } from "../support/arrange.ts";
import { type Answer, type Call, send } from "../support/client.ts";
import { type Harness, OFFER_WITHOUT_PRICE } from "../support/harness.ts";
import { type Person, seedPerson, sendAs } from "../support/people.ts";
import type { Service } from "../support/service.ts";

/** Purchases at the emulated payment provider, and at a provider that does not answer. */
export const billing = (harness: Harness): void => {
  const { service } = harness;
  const NOBODY = randomUUID();
  const RULE = { offerId: "credits-100", belowCredits: 10, monthlyCreditsMax: 500 };

  const ask = (person: Person, method: string, place: string, call: Call = {}, service = harness.service) =>
    sendAs(service, person, method, `/api/account/workspaces/${person.workspaceId}/billing${place}`, call);

  const order = (
    person: Person,
    offerId: string,
    idempotencyKey: string = randomUUID(),
    service = harness.service,
  ) => ask(person, "POST", "/checkout", { json: { offerId }, idempotencyKey }, service);

  const codeOf = ({ status, body }: Answer): readonly [number, string] => [status, body.error?.code];

  /** Stores a customer id of the provider for the person's workspace. */
  const insertCustomerId = (
    service: Service,
    { workspaceId }: Person,
    customerId: string,
  ): Promise<unknown> =>
    change(service, "INSERT INTO billing_customers VALUES (?, ?, 1)", workspaceId, customerId);

  /** An account that has bought credits, so that the provider has its card. */
  const seedBuyer = async (): Promise<Person> => {
    const person = await seedPerson(service);
    const ordered = await order(person, "credits-100");
    await harness.emulators.pay(ordered.body.data.url);
    await harness.emulators.delivered();
    return person;
  };

  describe("buying", () => {
    it("API §19.1, §19.5, §19.7 a purchase opens one checkout page, is credited by the provider's event, and is listed", async () => {
      const person = await seedPerson(service);
      expect((await ask(person, "GET", "")).body.data).toMatchObject({
        hasCustomer: false,
        plan: null,
        topUp: null,
      });
      const key = randomUUID();
      const first = await order(person, "credits-100", key);
      const again = await order(person, "credits-100", key);
      expect([first.status, again.status, again.body.data.url]).toEqual([201, 200, first.body.data.url]);
      expect(codeOf(await order(person, "credits-500", key))).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
      await harness.emulators.pay(first.body.data.url);
      await harness.emulators.delivered();
      const { items } = (await ask(person, "GET", "/payments")).body.data;
      expect(items).toMatchObject([
        { kind: "credits", offerId: "credits-100", credits: 100, amountRefunded: 0 },
      ]);
      const balance = await sendAs(
        service,
        person,
        "GET",
        `/api/account/workspaces/${person.workspaceId}/balance`,
      );
      expect(balance.body.data.credits.available).toBe(100);
    });

    it("API §19.2 422 for an unknown offer, 502 for a missing price, 503 if the provider does not answer", async () => {
      const person = await seedPerson(service);
      expect(codeOf(await order(person, "credits-7"))).toEqual([422, "OFFER_UNKNOWN"]);
      expect(codeOf(await order(person, OFFER_WITHOUT_PRICE))).toEqual([502, "PAYMENT_PROVIDER_FAILED"]);
      const other = await seedPerson(harness.withoutStorage);
      const unanswered = await order(other, "credits-100", randomUUID(), harness.withoutStorage);
      expect(codeOf(unanswered)).toEqual([503, "SERVICE_UNAVAILABLE"]);
    });

    it("API §19.9 the provider's page is 201; 409 before any purchase, 502 if refused, 503 if the provider does not answer", async () => {
      const buyer = await seedBuyer();
      const opened = await ask(buyer, "POST", "/portal");
      expect([opened.status, typeof opened.body.data.url]).toEqual([201, "string"]);
      const looker = await seedPerson(service);
      expect(codeOf(await ask(looker, "POST", "/portal"))).toEqual([409, "NOTHING_BOUGHT"]);
      await insertCustomerId(service, looker, "cus_of_nobody");
      expect(codeOf(await ask(looker, "POST", "/portal"))).toEqual([502, "PAYMENT_PROVIDER_FAILED"]);
      const other = await seedPerson(harness.withoutStorage);
      await insertCustomerId(harness.withoutStorage, other, `cus_${randomUUID()}`);
      const unanswered = await ask(other, "POST", "/portal", {}, harness.withoutStorage);
      expect(codeOf(unanswered)).toEqual([503, "SERVICE_UNAVAILABLE"]);
    });

    it("API §19.10, §19.11 automatic purchases can be set and deleted, and are refused without a card or an offer", async () => {
      const buyer = await seedBuyer();
      const set = await ask(buyer, "PUT", "/top-up", { json: RULE });
      expect([set.status, set.body.data.status]).toEqual([200, "active"]);
      expect((await ask(buyer, "DELETE", "/top-up")).status).toBe(200);
      expect(codeOf(await ask(buyer, "PUT", "/top-up", { json: { ...RULE, offerId: "credits-7" } }))).toEqual(
        [422, "OFFER_UNKNOWN"],
      );
      const looker = await seedPerson(service);
      expect(codeOf(await ask(looker, "PUT", "/top-up", { json: RULE }))).toEqual([
        409,
        "PAYMENT_METHOD_REQUIRED",
      ]);
      const other = await seedPerson(harness.withoutStorage);
      await insertCustomerId(harness.withoutStorage, other, `cus_${randomUUID()}`);
      const unanswered = await ask(other, "PUT", "/top-up", { json: RULE }, harness.withoutStorage);
      expect(codeOf(unanswered)).toEqual([503, "SERVICE_UNAVAILABLE"]);
    });

    it("API §19.4 the threshold of the low-balance mail is stored", async () => {
      const person = await seedPerson(service);
      expect((await ask(person, "PUT", "/notices", { json: { lowBalanceBelow: 25 } })).status).toBe(200);
      expect((await ask(person, "GET", "")).body.data.lowBalanceBelow).toBe(25);
    });

    it("API §19.3 404 WORKSPACE_NOT_FOUND for foreign and missing workspaces", async () => {
      const person = { ...(await seedPerson(service)), workspaceId: NOBODY };
      const answers = [
        await ask(person, "GET", ""),
        await ask(person, "GET", "/payments"),
        await order(person, "credits-100"),
        await ask(person, "PUT", "/notices", { json: { lowBalanceBelow: 1 } }),
        await ask(person, "POST", "/portal"),
        await ask(person, "PUT", "/top-up", { json: RULE }),
        await ask(person, "DELETE", "/top-up"),
      ];
      expect(answers.map(codeOf)).toEqual(answers.map(() => [404, "WORKSPACE_NOT_FOUND"]));
    });

    it("API §4.53, §4.54 a session can read the usage summary and statement", async () => {
      const person = await seedPerson(service);
      for (const place of ["summary", "statement"]) {
        const path = `/api/account/workspaces/${person.workspaceId}/usage/${place}`;
        expect((await sendAs(service, person, "GET", path)).status, place).toBe(200);
      }
    });
  });

  describe("API §19.6 POST /billing/events", () => {
    const post = (service: Service, body: string, signature: string | null): Promise<Answer> =>
      send(service, "POST", "/api/billing/events", {
        headers: {
          "Content-Type": "application/json",
          ...(signature === null ? {} : { "Stripe-Signature": signature }),
        },
        bytes: new TextEncoder().encode(body),
      });

    const signed = (service: Service, body: string): Promise<Answer> =>
      post(service, body, harness.emulators.sign(body));

    const eventOf = (more = ""): string =>
      JSON.stringify({
        id: `evt_${randomUUID().replaceAll("-", "")}`,
        object: "event",
        type: "product.created",
        created: Math.floor(Date.now() / 1_000),
        data: { object: { id: "prod_1", object: "product", more } },
      });

    it("API §19.6 200: an unrelated event changes nothing", async () => {
      const answer = await signed(service, eventOf());
      expect([answer.status, answer.body.data.outcome]).toEqual([200, "ignored"]);
    });

    it("API §19.6 400 SIGNATURE_INVALID: altered, signed too long ago, or unsigned", async () => {
      const body = eventOf();
      const old = harness.emulators.sign(body, Math.floor(Date.now() / 1_000) - 301);
      const answers = [
        await post(service, `${body} `, harness.emulators.sign(body)),
        await post(service, body, old),
        await post(service, body, null),
      ];
      expect(answers.map(codeOf)).toEqual(answers.map(() => [400, "SIGNATURE_INVALID"]));
    });

    it("API §19.6 500 if nothing can be written, so that the provider retries", async () => {
      await seedBuyer();
      const event = harness.emulators.book.events().find(({ type }) => type === "payment_intent.succeeded");
      expect((await signed(harness.broken, JSON.stringify(event))).status).toBe(500);
    });

    it("API §19.6 413 for a too large body, 501 without payments", async () => {
      expect((await signed(service, eventOf("x".repeat(300_000)))).status).toBe(413);
      expect(codeOf(await signed(harness.bare, eventOf()))).toEqual([501, "SERVICE_NOT_CONFIGURED"]);
    });
  });
};
