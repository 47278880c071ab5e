import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { ASSETS_FOLDER, inRoot } from "../../scripts/local/paths.ts";
import { loadSample } from "./support/order.ts";
import { openSignedIn, openStudio, openWorkspace } from "./support/studio.ts";

/** With LIVE_PREVIEWS off, the service draws previews, and browsers cannot load the engine. */

test("the grid shows the service's previews and requests no file of the engine, which is 404", async ({
  onTestFinished,
}) => {
  const studio = await openStudio({ vars: { LIVE_PREVIEWS: "off" } });
  onTestFinished(studio.close);
  const { page, person, faults } = await openSignedIn(studio, 10);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await openWorkspace(page, person.workspaceId, "create");
  await loadSample(page);
  await page.getByRole("button", { name: "Show preview: IAB banners 300 × 250" }).click();
  await page.getByRole("img", { name: /IAB banners 300 × 250/ }).waitFor();
  await page.getByText("29 previews are left today.").waitFor();
  await page.getByRole("button", { name: "Adjust: IAB banners 300 × 250" }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await expect
    .poll(() => page.evaluate("document.activeElement.getAttribute('aria-label')"))
    .toBe("Adjust: IAB banners 300 × 250");
  expect(
    asked.filter((path) => path.startsWith("/studio/") && !path.startsWith("/studio/engine/")),
  ).not.toEqual([]);
  expect(asked.filter((path) => path.startsWith("/studio/engine/") || path.endsWith(".wasm"))).toEqual([]);
  expect(faults()).toEqual([]);
  const files = globSync("studio/engine/*", { cwd: inRoot(ASSETS_FOLDER) });
  expect(files.length).toBeGreaterThan(12);
  for (const file of files) {
    const answer = await fetch(`${studio.service.origin}/${file}`);
    expect([file, answer.status, await answer.text()]).toEqual([
      file,
      404,
      expect.stringContaining("ROUTE_NOT_FOUND"),
    ]);
  }
});
