import type { Page } from "playwright-core";
import { expect } from "vitest";
import { allBarriers } from "../conformance/support/browser.ts";
import { keptDraft } from "./support/kept.ts";
import { loadSample } from "./support/order.ts";
import { studio, test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace, PHONE } from "./support/studio.ts";

/** Focal points and areas, set by pointer and keyboard, for all sizes or one. */

test.each([
  ["on a desk", {}],
  ["on a phone, in the dark", { viewport: PHONE, colorScheme: "dark" as const }],
])(
  "draws an area to keep %s, moves and resizes it by keyboard, and restores it after a reload",
  async (_, options) => {
    const { page, person, faults } = await openSignedIn(studio, 0, options);
    await openWorkspace(page, person.workspaceId, "create");
    await loadSample(page);
    const open = page.getByRole("button", { name: "Set the crop of dandelion.webp" });
    await open.click();
    const dialog = page.getByRole("dialog", { name: "Crop: dandelion.webp" });
    await dialog.getByRole("radio", { name: "A point" }).focus();
    await page.keyboard.press("ArrowRight");
    const area = dialog.getByRole("button", { name: /^Area shown whole/ });
    await area.waitFor();
    // Wait until the picture is decoded, because it has no size before.
    await dialog.locator("img").evaluate("(img) => img.decode()");
    const picture = await dialog.locator("img").boundingBox();
    if (picture === null) throw new Error("the picture is shown");
    const at = async (x: number, y: number) =>
      page.mouse.move(picture.x + x * picture.width, picture.y + y * picture.height);
    // Starting outside the existing area draws a new one.
    await at(0.02, 0.02);
    await page.mouse.down();
    await at(0.3, 0.2);
    await at(0.42, 0.52);
    await page.mouse.up();
    // Pointer positions are whole pixels, so the area is only approximate.
    const figures = async () => ((await area.getAttribute("aria-label")) ?? "").match(/\d+/g)?.map(Number);
    await expect
      .poll(figures)
      .toSatisfy((shares: readonly number[] = []) =>
        [2, 2, 40, 50].every((share, at) => Math.abs((shares[at] ?? -100) - share) <= 2),
      );
    const [x = 0, y = 0, width = 0, height = 0] = (await figures()) ?? [];
    await area.focus();
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("ArrowDown");
    await dialog.getByRole("button", { name: /^Corner of the area/ }).focus();
    await page.keyboard.press("Shift+ArrowLeft");
    const moved = [x + 10, y + 1, width - 10, height];
    const name = `Area shown whole, ${moved[0]}% from the left, ${moved[1]}% from the top, ${moved[2]}% wide, ${moved[3]}% high.`;
    await dialog.getByRole("button", { name }).waitFor();
    expect(await allBarriers(page, '[role="dialog"]')).toEqual([]);
    await dialog.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Crop set: dandelion.webp" }).waitFor();
    await expect.poll(() => keptArea(page)).toEqual(moved);
    await page.reload();
    await page.getByRole("button", { name: "Crop set: dandelion.webp" }).click();
    await dialog.getByRole("button", { name }).waitFor();
    await dialog.getByRole("button", { name: "Set to automatic" }).click();
    await dialog.getByText(/^Automatic:/).waitFor();
    expect(faults()).toEqual([]);
  },
);

/** The photo's area as the browser stored it, in percent; undefined while there is none. */
async function keptArea(page: Page): Promise<readonly number[] | undefined> {
  const placement = (await keptDraft(page))?.placements.media;
  if (placement === undefined || !("keep" in placement)) return undefined;
  const { x, y, width, height } = placement.keep;
  return [x, y, width, height].map((share) => Math.round(100 * share));
}
