import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mailedLink, WITH_MAIL } from "./support/mail.ts";
import { loadSample, orderArea, orderButton } from "./support/order.ts";
import { seedPack } from "./support/seed.ts";
import { flawsOf } from "./support/shown.ts";
import { PASSWORD, signUpOnPage } from "./support/sign-up.ts";
import {
  grant,
  openStudio,
  openTab,
  openVisitor,
  openWorkspace,
  PHONE,
  type Studio,
} from "./support/studio.ts";

/** Emailed links confirm addresses and reset passwords; their secrets never stay in the address bar. */

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio(WITH_MAIL);
});
afterAll(() => studio.close());

const fill = (page: Page, label: string, text: string) => page.getByLabel(label).fill(text);

/** A new account whose address is not confirmed. */
async function openOwner(email: string) {
  const visitor = await openVisitor(studio);
  const { page } = visitor;
  await page.goto("/sign-up");
  await signUpOnPage(page, "Ada", email);
  await page.waitForURL(/\/create\b/);
  return { ...visitor, workspaceId: new URL(page.url()).pathname.split("/")[2] ?? "" };
}

test("a new account sees a banner until its address is confirmed in another tab", async () => {
  const email = "ada@mail.example";
  const visitor = await openVisitor(studio);
  const { page, faults } = visitor;
  await page.goto("/sign-up");
  await signUpOnPage(page, "Ada", email);
  await page.waitForURL(/\/create\b/);
  await page.getByText(`An email is on its way to ${email}.`).waitFor();
  const banner = page.getByRole("region", { name: "Your address is not confirmed" });
  expect(await banner.getByRole("link", { name: "Open the local mailbox" }).getAttribute("href")).toBe(
    "http://127.0.0.1:9",
  );
  await banner.getByRole("button", { name: "Send it again" }).click();
  await banner.getByText(`Another email is on its way to ${email}.`).waitFor();

  const tab = await openTab(studio, visitor);
  await tab.page.goto(await mailedLink(studio, email, "confirm-address"));
  await tab.page.getByText(`${email} is confirmed.`).waitFor();
  expect(new URL(tab.page.url()).hash).toBe("");
  // The draft stays with the first tab, so this tab must not link to it.
  await tab.page.getByText("Your draft is open in another tab.").waitFor();
  expect(await tab.page.getByRole("link", { name: "Continue to the Studio" }).count()).toBe(0);
  // Simulates the focus event of a tab that is shown again.
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
  await banner.waitFor({ state: "detached" });
  expect([...faults(), ...tab.faults()]).toEqual([]);
});

test("a lost password is reset by a link that works once", async () => {
  const email = "grace@mail.example";
  const visitor = await openVisitor(studio);
  const { page } = visitor;
  await page.goto("/sign-up");
  await signUpOnPage(page, "Grace", email);
  await page.waitForURL(/\/create\b/);
  await visitor.context.clearCookies();

  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  const send = page.getByRole("button", { name: "Send the email" });
  // Wait for the new page, because the previous page has a field of the same name.
  await send.waitFor();
  await fill(page, "Email address", email);
  await send.click();
  await page.getByText(`If there is an account with ${email}, an email is on its way.`).waitFor();

  const link = await mailedLink(studio, email, "reset-password");
  await page.goto(link);
  const other = "five slow blue rivers";
  await fill(page, "New password", other);
  expect(new URL(page.url()).hash).toBe("");
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByText("The new password is set, and all sessions have ended.").waitFor();
  await page.getByRole("link", { name: "Sign in" }).click();
  await fill(page, "Email address", email);
  await fill(page, "Password", other);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/create\b/);

  const tab = await openTab(studio, visitor);
  await tab.page.goto(link);
  await fill(tab.page, "New password", PASSWORD);
  await tab.page.getByRole("button", { name: "Set the password" }).click();
  await tab.page.getByText("This link has expired or was used already.").waitFor();
  await tab.page.getByRole("link", { name: "Request another email" }).waitFor();
});

test("the response does not reveal whether an address has an account", async () => {
  const { page } = await openVisitor(studio);
  await page.goto("/forgot-password");
  await fill(page, "Email address", "nobody@mail.example");
  await page.getByRole("button", { name: "Send the email" }).click();
  await page.getByText("If there is an account with nobody@mail.example, an email is on its way.").waitFor();
});

test("an unconfirmed account cannot order, and its draft is kept", async () => {
  const { page, workspaceId } = await openOwner("unconfirmed@mail.example");
  await grant(studio, workspaceId, 20);
  await openWorkspace(page, workspaceId, "create");
  await loadSample(page);
  await orderArea(page).getByText("10 credits will be left").waitFor();
  await orderButton(page).click();
  await orderArea(page).getByText("Confirm your email address first").waitFor();
  await orderArea(page).getByText("Nothing was ordered or charged.").waitFor();
  await orderArea(page).getByRole("button", { name: "Send it again" }).click();
  await orderArea(page).getByText("Another email is on its way to unconfirmed@mail.example.").waitFor();
});

test("invitations and share links are sent by email", async () => {
  const email = "owner@mail.example";
  const { page, workspaceId } = await openOwner(email);
  await page.goto(await mailedLink(studio, email, "confirm-address"));
  await page.getByText(`${email} is confirmed.`).waitFor();

  await openWorkspace(page, workspaceId, "people");
  await page.getByRole("button", { name: "Invite someone" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Email address (optional)").fill("mira@mail.example");
  const flaws = [...(await flawsOf(page, "invitation"))];
  await dialog.getByRole("button", { name: "Create the invitation" }).click();
  await dialog.getByText("An email is on its way to mira@mail.example.").waitFor();
  await dialog.getByText(await mailedLink(studio, "mira@mail.example", "invitation")).waitFor();

  await grant(studio, workspaceId, 10);
  const { artifactId } = await seedPack(studio, { workspaceId });
  await page.goto(`/w/${workspaceId}/packs/${artifactId}`);
  await page.getByRole("button", { name: "Share for approval" }).click();
  await dialog.getByLabel("Name of the link").fill("Spring");
  await dialog.getByRole("button", { name: "Create link" }).click();
  await dialog.getByRole("button", { name: "Send by email: Spring" }).click();
  await dialog.getByLabel("Email address").fill("client@mail.example");
  await dialog.getByLabel("Message (optional)").fill("Is this good to go?");
  flaws.push(...(await flawsOf(page, "link by mail")));
  await dialog.getByRole("button", { name: "Send the email" }).click();
  await dialog.getByText("An email is on its way to client@mail.example.").waitFor();
  expect(await mailedLink(studio, "client@mail.example", "approval-asked")).toMatch(/^\/review\//);
  expect(flaws).toEqual([]);
});

test("a new address in the settings applies once its link is opened, and emails are in the chosen language", async () => {
  const { page, workspaceId } = await openOwner("old@mail.example");
  await openWorkspace(page, workspaceId, "settings");
  const address = page.getByRole("region", { name: "Email address" });
  await address.getByText("not confirmed").waitFor();
  await address.getByLabel("New address").fill("new@mail.example");
  await address.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("combobox", { name: "Language of emails" }).click();
  await page.getByRole("option", { name: "Deutsch" }).click();
  await page.getByText("Emails come in this language from now on.").waitFor();
  expect(await flawsOf(page, "settings")).toEqual([]);
  await address.getByRole("button", { name: "Change address" }).click();
  await address.getByText("An email is on its way to new@mail.example.").waitFor();
  await page.goto(await mailedLink(studio, "new@mail.example", "confirm-address"));
  await page.getByText("new@mail.example is confirmed.").waitFor();
  await openWorkspace(page, workspaceId, "settings");
  await address.getByText("new@mail.example").waitFor();
});

test("the account and email pages are accessible, also on a phone", async () => {
  const { page } = await openVisitor(studio, { viewport: PHONE });
  const flaws: string[] = [];
  for (const [path, text] of [
    ["/forgot-password", "Send the email"],
    ["/reset-password", "This link is incomplete."],
    ["/reset-password#cpr_x", "Set the password"],
    ["/confirm-email#x", "This link has expired or was used already."],
  ] as const) {
    await page.goto(path);
    await page.getByText(text).waitFor();
    flaws.push(...(await flawsOf(page, path)));
  }
  expect(flaws).toEqual([]);
});
