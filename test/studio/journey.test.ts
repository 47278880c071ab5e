import { expect } from "vitest";
import { pixelSizeOf } from "../../sdk/src/files/pixel-size.ts";
import { emptyDraft } from "../../studio/src/editor/draft/draft.ts";
import { catalogueSize } from "../support/renderer.ts";
import { amountsExceptGrants, ledgerOf } from "./support/credits.ts";
import { loadSample, orderArea, orderButton, saveZip, untilPack } from "./support/order.ts";
import { studio, test } from "./support/shared-studio.ts";
import { signUpOnPage } from "./support/sign-up.ts";
import { grant, openVisitor } from "./support/studio.ts";

test("a new user orders the sample set, downloads the ZIP, and is charged once", async () => {
  const visitor = await openVisitor(studio);
  const { page, faults } = visitor;
  await page.goto("/");
  await page.getByRole("link", { name: "Create an account" }).click();
  await signUpOnPage(page, "Ada", "ada@accounts.example");
  await page.waitForURL(/\/w\/[0-9a-f-]+\/create\b/);
  const workspaceId = new URL(page.url()).pathname.split("/")[2] ?? "";

  await loadSample(page);
  // A new account has no credits: the Studio says so, and keeps the draft while the operator grants some.
  await orderArea(page)
    .getByText(/^0 credits are left, 10 are needed/)
    .waitFor();
  expect(await orderButton(page).isDisabled()).toBe(true);
  await grant(studio, workspaceId, 100);
  await page.reload();

  await orderArea(page).getByText("90 credits will be left").waitFor();
  const begun = orderArea(page).getByRole("progressbar").waitFor();
  await orderButton(page).click();
  await begun;
  await untilPack(page);

  const { "manifest.json": manifest, ...pictures } = await saveZip(page);
  expect(manifest).toBeDefined();
  expect(Object.keys(pictures).sort()).toEqual(emptyDraft.sizeIds.map((sizeId) => `${sizeId}.jpg`).sort());
  for (const [name, bytes] of Object.entries(pictures)) {
    const { width, height } = catalogueSize(name.replace(".jpg", ""));
    expect([name, pixelSizeOf(bytes, "image/jpeg")]).toEqual([name, { width, height }]);
  }
  expect(amountsExceptGrants(await ledgerOf(studio, visitor, workspaceId))).toEqual([-10]);
  await page.getByRole("link", { name: "90 credits" }).waitFor();
  expect(faults()).toEqual([]);
});
