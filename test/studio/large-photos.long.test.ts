import { expect } from "vitest";
import { amountsExceptGrants, ledgerOf } from "./support/credits.ts";
import { flatPhotoOf } from "./support/files.ts";
import { giveFile, orderButton, untilGrid, untilPack } from "./support/order.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace, PHONE } from "./support/studio.ts";

test("a 40-megapixel photo on a phone becomes a pack; a 216-megapixel photo is rejected with advice", async ({
  studio,
}) => {
  const visitor = await openSignedIn(studio, 20, { viewport: PHONE, hasTouch: true, isMobile: true });
  const { page, faults, person } = visitor;
  await openWorkspace(page, person.workspaceId, "create");
  await giveFile(page, await flatPhotoOf(18_000, 12_000));
  await page.getByRole("alert").filter({ hasText: "Make it 8192 × 5461 px or smaller" }).waitFor();
  await giveFile(page, await flatPhotoOf(7_750, 5_165));
  await page.getByText("7,750 × 5,165").or(page.getByText("7750 × 5165")).waitFor();
  await page.getByRole("button", { name: "Preview", exact: true }).click();
  await untilGrid(page, 10);
  await orderButton(page).click();
  await untilPack(page);
  expect(amountsExceptGrants(await ledgerOf(studio, visitor, person.workspaceId))).toEqual([-10]);
  expect(faults()).toEqual([]);
});
