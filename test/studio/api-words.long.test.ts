import { expect } from "vitest";
import { DELIVERY_FAILURE_CODES } from "#api/delivery-rules.ts";
import { grantStatement } from "#domains/workspaces/create-workspace.ts";
import { seedPack, seedWebhook } from "./support/seed.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

/** The API's English descriptions are translated; an operator's own note stays as written. */

const GERMAN = { locale: "de-DE" } as const;
const NOTE = "Invoice 4711, thank you";

test("ledger entries", async ({ studio }) => {
  const { page, person, faults } = await openSignedIn(studio, 100, GERMAN);
  const { workspaceId } = person;
  await grantStatement(studio.service.db, workspaceId, 7, Date.now(), { description: NOTE }).run();
  await seedPack(studio, person);
  await openWorkspace(page, workspaceId, "usage");
  const ledger = page.getByRole("region", { name: "Buchungen" });
  await ledger.getByText("Für ein Paket", { exact: true }).waitFor();
  await ledger.getByText("Vom Betreiber gutgeschrieben", { exact: true }).waitFor();
  await ledger.getByText(NOTE, { exact: true }).waitFor();
  expect(await ledger.getByText(/Job reserved|Credits granted/).count()).toBe(0);
  expect(faults()).toEqual([]);
});

const ENGLISH = "The store answered 403 AccessDenied. These words are English.";

test("delivery failures, and why a destination is off", async ({ studio }) => {
  const { page, person, faults } = await openSignedIn(studio, 0, GERMAN);
  await seedWebhook(studio, person);
  const at = new Date(0).toISOString();
  const failed = DELIVERY_FAILURE_CODES.map((code) => ({
    ...{ deliveryId: code, destinationId: null, kind: "s3", eventType: "artifact.delivery" },
    ...{ artifactId: null, jobId: null, status: "dead", attempts: 8, attemptsMax: 8 },
    progress: { total: 1, completed: 0 },
    failure: { code, message: ENGLISH, receiverStatus: 403 },
    ...{ nextAttemptAt: null, createdAt: at, finishedAt: at },
  }));
  await page.route("**/api/account/**/deliveries", (route) =>
    route.fulfill({ json: { ok: true, data: { items: failed, nextBefore: null }, requestId: "1" } }),
  );
  await page.route("**/api/account/**/destinations", async (route) => {
    const answer = await route.fetch();
    const told = await answer.json();
    const statusReason = { code: "RECEIVER_GONE", message: ENGLISH };
    for (const one of told.data.items) Object.assign(one, { status: "disabled", statusReason });
    await route.fulfill({ response: answer, json: told });
  });
  await openWorkspace(page, person.workspaceId, "destinations");
  await page.getByText(/^Der Empfänger hat mit „410 Gone“ geantwortet\. Bringen Sie/).waitFor();
  await page.getByText(/^Der Speicher hat die Dateien abgelehnt/).waitFor();
  expect(await page.getByText("403 AccessDenied").count()).toBe(DELIVERY_FAILURE_CODES.length);
  expect(await page.getByText("These words are English").count()).toBe(0);
  expect(faults()).toEqual([]);
});
