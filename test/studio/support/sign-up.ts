import type { Page } from "playwright-core";

/** A password that the sign-up page accepts. */
export const PASSWORD = "three calm green meadows";

/** Fills in and submits the sign-up page, once it is open. */
export async function signUpOnPage(page: Page, name: string, email: string): Promise<void> {
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
}
