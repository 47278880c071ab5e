import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { PASSWORD } from "./sign-up.ts";
import { grant, openVisitor, postAs, type Studio, type Visitor } from "./studio.ts";

/** A signed-in account with a password. */
export interface Account extends Visitor {
  readonly email: string;
  readonly password: string;
  readonly workspaceId: string;
}

let made = 0;

/** Signs up and in through the API, in a browser context of its own. */
export async function openAccount(studio: Studio, credits: number): Promise<Account> {
  made += 1;
  const email = `grace-${made}@accounts.example`;
  const visitor = await openVisitor(studio);
  const post = async (path: string, data: object) => (await postAs(studio, visitor, path, data)).status();
  expect(await post("sign-up", { name: "Grace", email, password: PASSWORD })).toBe(202);
  expect(await post("sign-in", { email, password: PASSWORD })).toBe(200);
  const listed = await (await visitor.context.request.get("/api/account/workspaces")).json();
  const { workspaceId } = listed.data.items[0];
  if (credits > 0) await grant(studio, workspaceId, credits);
  await visitor.context.addInitScript('localStorage.setItem("creative-packs.signed-in", "yes")');
  return { ...visitor, email, password: PASSWORD, workspaceId };
}

/** Ends the session as another device with the same cookie would. */
export async function endSessionElsewhere(studio: Studio, { context }: Account): Promise<void> {
  const other = await studio.browser.newContext();
  await other.addCookies(await context.cookies());
  expect((await postAs(studio, { context: other }, "sign-out")).ok()).toBe(true);
  await other.close();
}

/** Fills in and submits the sign-in form, on its page or in the dialog over a page. */
export async function fillSignIn(form: Page | Locator, { email, password }: Account): Promise<void> {
  await form.getByLabel("Email address").fill(email);
  await form.getByLabel("Password").fill(password);
  await form.getByRole("button", { name: "Sign in" }).click();
}

/** Signs in through the dialog over the page. */
export async function signInOverPage(account: Account): Promise<void> {
  const { page } = account;
  const dialog = page.getByRole("dialog", { name: "Sign in" });
  await dialog.getByText("Your session has ended. Sign in again; your draft is kept.").waitFor();
  await fillSignIn(dialog, account);
  await dialog.waitFor({ state: "detached" });
}
