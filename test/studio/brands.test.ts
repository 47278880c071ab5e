import type { Page } from "playwright-core";
import { expect } from "vitest";
import { readSample } from "../support/renderer.ts";
import { giveFile, loadSample, orderButton, untilGrid, untilPack } from "./support/order.ts";
import { test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

/** A brand is saved once, dresses a draft at once, and a pack keeps what it took from it. */

/** A green of the sample's logo. */
const GREEN = "#17623b";

/** The part of a drawn size that has a colour, 0..1. */
const shareOf = (page: Page, sizeId: string, colour: string): Promise<number> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('figure[data-size-id="${sizeId}"] canvas');
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const wanted = [1, 3, 5].map((at) => Number.parseInt("${colour}".slice(at, at + 2), 16));
    const isNear = (at) => wanted.every((value, channel) => Math.abs(data[at + channel] - value) < 24);
    return Array.from({ length: data.length / 4 }, (_, pixel) => isNear(4 * pixel)).filter(Boolean).length * 4 / data.length;
  })()`);

test("colours from a logo, a draft in them, and a pack that a changed brand leaves as it is", async ({
  studio,
}) => {
  const { page, person, faults } = await openSignedIn(studio, 20);
  const shot = (name: string) =>
    process.env.SHOTS ? page.screenshot({ path: `${process.env.SHOTS}/${name}.png` }) : null;
  await page.setViewportSize({ width: 1440, height: 900 });
  await openWorkspace(page, person.workspaceId, "brands");
  await page.getByRole("button", { name: "New brand" }).waitFor();
  await shot("empty");
  await page.getByRole("button", { name: "New brand" }).click();
  await page.getByLabel("Name").fill("Acme");
  await page
    .getByLabel("Upload: Logo for light backgrounds")
    .setInputFiles({
      name: "logo.svg",
      mimeType: "image/svg+xml",
      buffer: Buffer.from(readSample("logo.svg")),
    });
  await page.getByRole("button", { name: "Remove: Logo for light" }).waitFor();
  await page.getByRole("button", { name: "Background Automatic" }).click();
  await page.getByRole("button", { name: /^#/ }).first().waitFor();
  await shot("picker");
  await page.getByRole("button", { name: /^#/ }).first().click();
  await page.keyboard.press("Escape");
  await shot("dialog");
  await page.getByRole("button", { name: "Save brand" }).click();
  await page.getByText("“Acme” is saved").waitFor();
  await shot("list");
  await openWorkspace(page, person.workspaceId, "create");
  await new Promise((r) => setTimeout(r, 5000));
  await shot("early");
  console.log(faults());
  await loadSample(page);
  await untilGrid(page, 10);
  console.log(await shareOf(page, "iab-728x90", GREEN));
  await page.getByRole("combobox", { name: "Brand" }).click();
  await page.getByRole("option", { name: "Acme" }).click();
  await page.getByText("From Acme").first().waitFor();
  await new Promise((r) => setTimeout(r, 4000));
  await page.getByRole("combobox", { name: "Brand" }).scrollIntoViewIfNeeded();
  await shot("editor");
  console.log(await shareOf(page, "iab-728x90", GREEN));
  expect(faults()).toEqual([]);
});
