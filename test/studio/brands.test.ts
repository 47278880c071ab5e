import type { Page } from "playwright-core";
import { expect } from "vitest";
import { readSample } from "../support/renderer.ts";
import { beginVersion, loadSample, orderButton, untilGrid, untilPack } from "./support/order.ts";
import { test } from "./support/shared-studio.ts";
import { flawsOf } from "./support/shown.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

const LOGO = { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(readSample("logo.svg")) };
/** The logo's most frequent colour. */
const GREEN = "#1c4433";

/** Fraction (0 to 1) of a banner's pixels that have the logo's green, also under the watermark. */
const greenOf = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('figure[data-size-id="iab-728x90"] canvas');
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const isGreen = (_, pixel) => [28, 68, 51].every((value, at) => Math.abs(data[4 * pixel + at] - value) < 24);
    return Array.from({ length: data.length / 4 }, isGreen).filter(Boolean).length / (data.length / 4);
  })()`);

test("a brand styles a draft in its logo's colours; changing it leaves ordered packs unchanged", async ({
  studio,
}) => {
  const { page, person, faults } = await openSignedIn(studio, 20);
  const show = (text: string) => page.getByText(text).first().waitFor();
  const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click();
  const flaws: string[] = [];
  await openWorkspace(page, person.workspaceId, "brands");
  await press("New brand");
  await page.getByLabel("Name").fill("Acme");
  await page.getByLabel("Upload: Logo on light").setInputFiles(LOGO);
  await press("Background Automatic");
  await press(GREEN);
  await page.getByRole("slider", { name: "Hue" }).waitFor();
  flaws.push(...(await flawsOf(page, "colour of a brand")));
  await page.keyboard.press("Escape");
  await press("Save brand");
  await show("“Acme” is saved");

  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  await untilGrid(page, 10);
  expect(await greenOf(page)).toBeLessThan(0.1);
  await page.getByRole("combobox", { name: "Brand" }).click();
  await page.getByRole("option", { name: "Acme" }).click();
  await expect.poll(() => greenOf(page)).toBeGreaterThan(0.1);
  await press("Logo: use Acme’s");
  await press("Background From Acme");
  await page.keyboard.press("Escape");
  flaws.push(...(await flawsOf(page, "brand of a draft")));
  await orderButton(page).click();
  await untilPack(page);
  const pack = page.url();

  await openWorkspace(page, person.workspaceId, "brands");
  await press(/^Acme/);
  await press(`Background ${GREEN}`);
  await page.getByLabel("Colour code").fill("#ffffff");
  await page.keyboard.press("Escape");
  await press("Save brand");
  await show("“Acme” is saved");
  await page.goto(pack);
  await beginVersion(page);
  await page.getByRole("button", { name: "Colours: use Acme’s" }).waitFor();
  await page.getByRole("button", { name: `Background ${GREEN}` }).waitFor();
  expect([...flaws, ...faults()]).toEqual([]);
});
