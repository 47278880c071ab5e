import { expect } from "vitest";
import { test } from "./support/shared-studio.ts";
import { openVisitor } from "./support/studio.ts";

test("a theme change starts no transition", async ({ studio }) => {
  const { page } = await openVisitor(studio, { reducedMotion: "reduce", colorScheme: "light" });
  await page.goto("/");
  await page.getByRole("link", { name: "Create an account" }).first().waitFor();
  const paper = "getComputedStyle(document.body).backgroundColor";
  const before = await page.evaluate(paper);
  await page.emulateMedia({ colorScheme: "dark" });
  const { after, moving } = await page.evaluate<{ after: string; moving: number }>(
    `new Promise((done) => requestAnimationFrame(() => done({ after: ${paper}, moving: document.getAnimations().length })))`,
  );
  expect({ moving, hasChanged: after !== before }).toEqual({ moving: 0, hasChanged: true });
});
