import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mailedLink, WITH_MAIL } from "./support/mail.ts";
import { flawsOf } from "./support/shown.ts";
import { PASSWORD, signUpOnPage } from "./support/sign-up.ts";
import { openStudio, openTab, openVisitor, PHONE, type Studio } from "./support/studio.ts";

/** Where mail is sent, addresses are confirmed and lost passwords replaced by its links alone, whose secrets no address bar keeps. */

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio(WITH_MAIL);
});
afterAll(() => studio.close());

const fill = (page: Page, label: string, text: string) => page.getByLabel(label).fill(text);

test("a new account is told to confirm its address, until the link was opened in another tab", async () => {
  const email = "ada@mail.example";
  const visitor = await openVisitor(studio);
  const { page, faults } = visitor;
  await page.goto("/sign-up");
  await signUpOnPage(page, "Ada", email);
  await page.waitForURL(/\/create$/);
  await page.getByText(`A mail is on its way to ${email}.`).waitFor();
  const banner = page.getByRole("region", { name: "Your address is not confirmed" });
  await banner.getByRole("button", { name: "Send it again" }).click();
  await banner.getByText(`Another mail is on its way to ${email}.`).waitFor();

  const tab = await openTab(studio, visitor);
  await tab.page.goto(await mailedLink(studio, email, "confirm-address"));
  await tab.page.getByText(`${email} is confirmed.`).waitFor();
  expect(new URL(tab.page.url()).hash).toBe("");
  // As a browser tells a page that is looked at again.
  await page.evaluate('document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))');
  await banner.waitFor({ state: "detached" });
  expect([...faults(), ...tab.faults()]).toEqual([]);
});

test("a lost password is replaced by a link that works once", async () => {
  const email = "grace@mail.example";
  const visitor = await openVisitor(studio);
  const { page } = visitor;
  await page.goto("/sign-up");
  await signUpOnPage(page, "Grace", email);
  await page.waitForURL(/\/create$/);
  await visitor.context.clearCookies();

  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await fill(page, "E-mail address", email);
  await page.getByRole("button", { name: "Send the mail" }).click();
  await page.getByText(`If there is an account with ${email}, a mail is on its way.`).waitFor();

  const link = await mailedLink(studio, email, "reset-password");
  await page.goto(link);
  const other = "five slow blue rivers";
  await fill(page, "New password", other);
  expect(new URL(page.url()).hash).toBe("");
  await page.getByRole("button", { name: "Set the password" }).click();
  await page.getByText("The password is set, and all sessions have ended.").waitFor();
  await page.getByRole("link", { name: "Sign in" }).click();
  await fill(page, "E-mail address", email);
  await fill(page, "Password", other);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/create$/);

  const tab = await openTab(studio, visitor);
  await tab.page.goto(link);
  await fill(tab.page, "New password", PASSWORD);
  await tab.page.getByRole("button", { name: "Set the password" }).click();
  await tab.page.getByText("This link has expired or was used already.").waitFor();
  await tab.page.getByRole("link", { name: "Ask for another mail" }).waitFor();
});

test("an address without an account is answered as one with", async () => {
  const { page } = await openVisitor(studio);
  await page.goto("/forgot-password");
  await fill(page, "E-mail address", "nobody@mail.example");
  await page.getByRole("button", { name: "Send the mail" }).click();
  await page.getByText("If there is an account with nobody@mail.example, a mail is on its way.").waitFor();
});

test("the pages of mail are usable by everybody, on a phone too", async () => {
  const { page } = await openVisitor(studio, { viewport: PHONE });
  const flaws: string[] = [];
  for (const [path, text] of [
    ["/forgot-password", "Send the mail"],
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
