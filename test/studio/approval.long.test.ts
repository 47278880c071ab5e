import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect } from "vitest";
import { allBarriers } from "../conformance/support/browser.ts";
import { clientOf } from "../conformance/support/flow.ts";
import { seedPerson } from "../conformance/support/people.ts";
import { seedInvitation, seedPack } from "./support/seed.ts";
import { studio, test } from "./support/shared-studio.ts";
import { signUpOnPage } from "./support/sign-up.ts";
import { openSignedIn, openVisitor, openWorkspace, signInWith } from "./support/studio.ts";

/** Bytes of the shown picture of the 300 × 250 size. */
async function shownPicture(page: Page): Promise<Buffer> {
  const picture = page.getByRole("img", { name: /300 × 250/ }).first();
  await picture.waitFor();
  const address = await picture.getAttribute("src");
  return (await page.context().request.get(address ?? "")).body();
}

const pixelsOf = (bytes: Uint8Array): Promise<Buffer> =>
  sharp(Buffer.from(bytes)).removeAlpha().raw().toBuffer();

test("a share link supports pinned comments, verdicts by size, replies, clean files, approval and revocation", async () => {
  const owner = await openSignedIn(studio, 20);
  const { page, person } = owner;
  const { artifactId, key } = await seedPack(studio, person);
  await openWorkspace(page, person.workspaceId, `packs/${artifactId}`);
  await page.getByRole("button", { name: "Share for approval" }).click();
  await page.getByLabel("Name of the link").fill("For Grace");
  await page.getByLabel("Answer by (optional)").fill("2099-06-01");
  await page.getByLabel("Message to your client (optional)").fill("Is the new claim fine?");
  await page.getByRole("button", { name: "Create link" }).click();
  const entry = page.getByRole("dialog").getByRole("listitem").filter({ hasText: "For Grace" });
  const link = (await entry.getByRole("link").getAttribute("href")) ?? "";

  const visitor = await openVisitor(studio);
  await visitor.page.goto(link);
  await visitor.page.getByRole("heading", { name: "For Grace" }).waitFor();
  const shown = await pixelsOf(await shownPicture(visitor.page));
  const artifact = await clientOf(studio.service, key).artifacts.get(artifactId);
  const { fileId = "" } = artifact.files.find(({ sizeId }) => sizeId === "iab-300x250") ?? {};
  const paid = await pixelsOf(await clientOf(studio.service, key).artifacts.downloadFile(artifactId, fileId));
  expect(shown.length).toBe(paid.length);
  const marked = shown.filter((level, at) => Math.abs(level - (paid[at] ?? 0)) > 16).length / shown.length;
  expect(marked).toBeGreaterThan(0.02);

  const client = visitor.page;
  await client.getByText("Is the new claim fine?").waitFor();
  await client.getByText("Please answer by").waitFor();
  await client.getByRole("button", { name: "Show IAB banners 300 × 250 large" }).click();
  const large = client.getByRole("dialog", { name: "IAB banners 300 × 250" });
  await large.getByRole("button", { name: "Pin a comment" }).click({ position: { x: 60, y: 40 } });
  await large.getByLabel("Comment on this spot").fill("The light is lovely here.");
  await large.getByLabel("Your name").fill("Grace");
  await large.getByRole("button", { name: "Comment", exact: true }).click();
  await large.getByRole("listitem").filter({ hasText: "The light is lovely here." }).waitFor();
  expect(await allBarriers(client, '[role="dialog"]')).toEqual([]);
  await large.getByRole("button", { name: "Zoom in" }).click();
  await large.getByText("200 %", { exact: true }).waitFor();
  await client.keyboard.press("ArrowRight");
  await client.getByRole("dialog", { name: "IAB banners 728 × 90" }).waitFor();
  await client.keyboard.press("Escape");
  await client.getByRole("button", { name: "Request changes to IAB banners 728 × 90" }).click();
  await client.getByRole("button", { name: "Approve IAB banners 300 × 250" }).click();
  expect(await allBarriers(client, "body")).toEqual([]);
  // Unsent verdicts survive a reload.
  await client.reload();
  await client.getByRole("button", { name: "Request changes to 1 size" }).click();
  await client.getByRole("heading", { name: "Changes requested by Grace" }).waitFor();

  await page.reload();
  const thread = page.getByRole("listitem").filter({ hasText: "The light is lovely here." });
  await page.getByText("changes requested").first().waitFor();
  await thread.getByRole("button", { name: "Reply" }).click();
  await thread.getByLabel("Your reply").fill("We keep it.");
  const shownThread = await thread.elementHandle();
  await thread.getByRole("button", { name: "Reply" }).click();
  await thread.getByText("We keep it.").waitFor();
  await thread.getByRole("button", { name: "Mark as done" }).click();
  await thread.getByRole("button", { name: "Reopen" }).waitFor();
  // The refetched list reuses the element, so focus and unsent replies are kept.
  expect(await shownThread?.isVisible()).toBe(true);
  await thread.getByRole("button", { name: "IAB banners 300 × 250" }).click();
  await page.getByRole("dialog").getByRole("listitem").filter({ hasText: "We keep it." }).waitFor();
  expect(await allBarriers(page, '[role="dialog"]')).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Share for approval" }).click();
  await page.getByRole("listitem").filter({ hasText: "For Grace" }).getByRole("checkbox").click();

  await expect
    .poll(async () => {
      await client.reload();
      return pixelsOf(await shownPicture(client));
    })
    .toEqual(paid);
  await client.getByText("We keep it.").waitFor();
  await client.getByRole("button", { name: "Reopen" }).click();
  await client.getByRole("button", { name: "Change answer" }).click();
  // Enter in the note must not send the answer.
  await client.getByLabel("Note (optional)").press("Enter");
  await client.getByRole("button", { name: "Approve all 3" }).click();
  await client.getByRole("heading", { name: "Approved by Grace" }).waitFor();
  expect(await visitor.context.cookies()).toEqual([]);
  expect(visitor.faults()).toEqual([]);

  await page.getByRole("button", { name: "Actions for the link For Grace" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("revoked").waitFor();
  expect(owner.faults()).toEqual([]);

  await visitor.page.reload();
  await visitor.page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  await visitor.page.getByText("Ask the person who sent it for a new one.").waitFor();
});

test("a visitor with an invitation signs up, joins, and sees the rights of members", async () => {
  const owner = await openSignedIn(studio, 20);
  await openWorkspace(owner.page, owner.person.workspaceId, "people");
  await owner.page.getByRole("button", { name: "Invite someone" }).click();
  const link = await owner.page.getByRole("dialog").getByText("/invitation#").textContent();

  const { page, faults } = await openVisitor(studio);
  await page.goto((link ?? "").trim());
  await page.getByRole("link", { name: "Create an account" }).click();
  await signUpOnPage(page, "Edsger", "edsger@accounts.example");
  await page.getByRole("button", { name: "Join the workspace" }).click();
  await page.waitForURL(`**/w/${owner.person.workspaceId}/packs`);
  await page.getByRole("link", { name: "New pack" }).click();
  await page.getByText("You are a member of this workspace").waitFor();
  expect(faults()).toEqual([]);

  await owner.page.reload();
  await owner.page.getByRole("cell", { name: "Edsger" }).waitFor();
  expect(owner.faults()).toEqual([]);
});

test("a visitor with an invitation who signs in with a provider returns to the invitation", async () => {
  const owner = await openSignedIn(studio, 0);
  const code = await seedInvitation(studio, owner.person);
  const { page, context } = await openVisitor(studio);
  const person = await seedPerson(studio.service);
  // The provider's pages are not under test: redirect to a page of ours that runs no script.
  const away = `${studio.service.origin}/openapi.json`;
  await page.route("**/api/account/oauth/github", (route) =>
    route.fulfill({ json: { ok: true, data: { provider: "github", url: away }, requestId: "1" } }),
  );
  await page.goto(`/invitation#${code}`);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Continue with GitHub" }).click();
  await page.waitForURL(away);
  await signInWith(studio, context, person.cookie);
  await page.goto("/");
  await page.getByRole("button", { name: "Join the workspace" }).click();
  await page.waitForURL(`**/w/${owner.person.workspaceId}/packs`);
});
