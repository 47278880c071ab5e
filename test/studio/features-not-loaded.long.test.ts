import { expect } from "vitest";
import { gate } from "./support/gate.ts";
import { studio, test } from "./support/shared-studio.ts";
import { openSignedIn, openVisitor, openWorkspace, type Visitor } from "./support/studio.ts";

/** Pages do nothing that depends on the service's features until they have loaded them. */

/** Delays the response about the service's features. It then says that credits are sold, and whether `mail` is sent. */
async function delayServiceFeatures({ page }: Visitor, mail = true) {
  const told = gate();
  await page.route("**/api/v1/service", async (route) => {
    await told.opened;
    const response = await route.fetch();
    const json = await response.json();
    Object.assign(json.data, { mail, billing: true });
    await route.fulfill({ response, json });
  });
  return told;
}

/** Records the invitations that the page requests. */
function invitationsOf({ page }: Visitor): readonly string[] {
  const made: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/invitations")) made.push(request.url());
  });
  return made;
}

test("an invitation is created only once the page knows whether mail is sent", async () => {
  const owner = await openSignedIn(studio, 0);
  const { page, person } = owner;
  const told = await delayServiceFeatures(owner);
  const made = invitationsOf(owner);
  await openWorkspace(page, person.workspaceId, "people");
  await page.getByRole("button", { name: "Invite someone" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Loading").waitFor();
  told.open();
  await dialog.getByLabel("Email address (optional)").waitFor();
  expect(made).toEqual([]);
});

test("a dialog that is reopened before the features have loaded creates one invitation", async () => {
  const owner = await openSignedIn(studio, 0);
  const { page, person } = owner;
  const told = await delayServiceFeatures(owner, false);
  const made = invitationsOf(owner);
  await openWorkspace(page, person.workspaceId, "people");
  const dialog = page.getByRole("dialog");
  for (const isLast of [false, true]) {
    await page.getByRole("button", { name: "Invite someone" }).click();
    await dialog.getByText("Loading").waitFor();
    if (isLast) break;
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
  }
  told.open();
  await dialog.getByText("/invitation#").or(dialog.getByRole("textbox")).first().waitFor();
  await page.waitForLoadState("networkidle");
  expect(made).toHaveLength(1);
});

test("a password email is requested only once the page knows whether mail is sent", async () => {
  const visitor = await openVisitor(studio);
  const { page } = visitor;
  const told = await delayServiceFeatures(visitor);
  await page.goto("/forgot-password");
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
  await page.getByText("Loading").waitFor();
  expect(await page.getByRole("button", { name: "Send the email" }).count()).toBe(0);
  told.open();
  await page.getByRole("button", { name: "Send the email" }).waitFor();
});
