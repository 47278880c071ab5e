import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { seedPack } from "./support/seed.ts";
import { test } from "./support/shared-studio.ts";
import { flawsOf } from "./support/shown.ts";
import { openSignedIn, openWorkspace, type SignedIn } from "./support/studio.ts";

let known: SignedIn;
test.beforeAll(async ({ studio }) => {
  known = await openSignedIn(studio, 100, { colorScheme: "dark" });
  await seedPack(studio, known.person);
});

test("usage by key and contract, and its CSV, have the same sums", async () => {
  const { page, person, faults } = known;
  await openWorkspace(page, person.workspaceId, "usage");
  const byKey = page.getByRole("region", { name: "By key" });
  await byKey.getByRole("row", { name: "Seeded key 1 3 0" }).waitFor();
  await page.getByRole("region", { name: "By set of sizes" }).getByText("Whole campaign").waitFor();
  const coming = page.waitForEvent("download");
  await page.getByRole("button", { name: "Usage as CSV" }).click();
  const lines = (await readFile(await (await coming).path(), "utf8")).trim().split("\r\n");
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("Seeded key");
  await page.getByRole("combobox", { name: "Period (UTC)" }).click();
  await page.getByRole("option", { name: "Last month" }).click();
  await page.getByText("Nothing was spent in this period.").waitFor();
  expect(faults()).toEqual([]);
});

test("the monthly statement adds up, and prints black on white without controls", async () => {
  const { page, person, faults } = known;
  await openWorkspace(page, person.workspaceId, "usage");
  await page.getByRole("link", { name: "Monthly statement" }).click();
  const credits = page.getByRole("region", { name: "Credits", exact: true });
  await credits.getByRole("row", { name: "Granted +100" }).waitFor();
  await credits.getByRole("row", { name: "Orders -3" }).waitFor();
  await credits.getByRole("row", { name: "Now 97" }).waitFor();
  expect(await flawsOf(page, "statement")).toEqual([]);

  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(await page.getByRole("navigation").isVisible()).toBe(false);
  expect(await page.getByRole("button", { name: "Print" }).isVisible()).toBe(false);
  const colours = () =>
    page.evaluate(
      '[document.body, document.querySelector("h1")].map((one) => getComputedStyle(one)).map(({ color, backgroundColor }) => [color, backgroundColor])',
    );
  // The browser may switch to print styles a moment later.
  await expect.poll(colours).toEqual([
    ["rgb(0, 0, 0)", "rgb(255, 255, 255)"],
    ["rgb(0, 0, 0)", "rgba(0, 0, 0, 0)"],
  ]);
  await page.emulateMedia({ media: "screen" });
  expect(faults()).toEqual([]);
});
