import { expect } from "vitest";
import { studio, test } from "./support/shared-studio.ts";
import { openSignedIn, openWorkspace } from "./support/studio.ts";

test("an owner renames a workspace, also to a name that looks like markup", async () => {
  const { page, person, faults } = await openSignedIn(studio, 0);
  await openWorkspace(page, person.workspaceId, "settings");
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("  Summer & <b>sun</b>  ");
  await page.getByRole("button", { name: "Rename workspace" }).click();
  await page.getByText("The workspace is renamed.").waitFor();
  await page.getByRole("listitem").filter({ hasText: "Summer & <b>sun</b>" }).waitFor();
  await page.reload();
  await name.waitFor();
  expect(await name.inputValue()).toBe("Summer & <b>sun</b>");
  expect(faults()).toEqual([]);
});
