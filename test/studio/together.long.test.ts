import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect } from "vitest";
import { clientOf } from "../conformance/support/flow.ts";
import { seedPerson } from "../conformance/support/people.ts";
import { seedInvitation, seedPack } from "./support/seed.ts";
import { test } from "./support/shared-studio.ts";
import { signUpOnPage } from "./support/sign-up.ts";
import { openSignedIn, openVisitor, openWorkspace, type Studio, signInWith } from "./support/studio.ts";

/** People without an account look at a pack by its link and approve it; people who are invited join. */

let studio: Studio;
test.beforeAll(({ studio: shared }) => {
  studio = shared;
});

/** Bytes of the picture that the page shows of the rectangle. */
async function shownPicture(page: Page): Promise<Buffer> {
  const picture = page.getByRole("img", { name: /300 × 250/ });
  await picture.waitFor();
  const address = await picture.getAttribute("src");
  return (await page.context().request.get(address ?? "")).body();
}

const pixelsOf = (bytes: Uint8Array): Promise<Buffer> =>
  sharp(Buffer.from(bytes)).removeAlpha().raw().toBuffer();

test("a link for approval: the marked pictures, a comment and a yes; revoked, it says so", async () => {
  const owner = await openSignedIn(studio, 20);
  const { page, person } = owner;
  const { artifactId, key } = await seedPack(studio, person);
  await openWorkspace(page, person.workspaceId, `packs/${artifactId}`);
  await page.getByRole("button", { name: "Share for approval" }).click();
  await page.getByLabel("Name of the link").fill("For Grace");
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByRole("textbox", { name: "For Grace" }).inputValue();

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

  await visitor.page.getByLabel("Your name").fill("Grace");
  // A key that ends a line says nothing of the pack.
  await visitor.page.getByLabel("Your name").press("Enter");
  await visitor.page.getByLabel("Comment", { exact: true }).fill("The light is lovely.");
  await visitor.page.getByRole("button", { name: "Comment only" }).click();
  await visitor.page.getByRole("listitem").filter({ hasText: "The light is lovely." }).waitFor();
  expect(await visitor.page.getByRole("heading", { name: "approved" }).count()).toBe(0);
  await visitor.page.getByRole("button", { name: "Approve" }).click();
  await visitor.page.getByRole("heading", { name: "approved" }).waitFor();
  expect(await visitor.context.cookies()).toEqual([]);
  expect(visitor.faults()).toEqual([]);

  await page.reload();
  await page.getByRole("button", { name: "Share for approval" }).click();
  await page.getByText("The light is lovely.").waitFor();
  await page.getByText("approved").first().waitFor();
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByText("revoked").waitFor();
  expect(owner.faults()).toEqual([]);

  await visitor.page.reload();
  await visitor.page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  await visitor.page.getByText("Ask the person who sent it for a new one.").waitFor();
});

test("an invitation: who has no account makes one on the way, joins, and is told what members may do", async () => {
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

test("an invitation by way of a provider: who comes back is asked to join", async () => {
  const owner = await openSignedIn(studio, 0);
  const code = await seedInvitation(studio, owner.person);
  const { page, context } = await openVisitor(studio);
  const person = await seedPerson(studio.service);
  // The provider's own pages are another's: the way there leads to this one, which runs no script.
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
