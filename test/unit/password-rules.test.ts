import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { checkNewPassword } from "#domains/accounts/password/password-rules.ts";
import { COMMON_PASSWORDS_PATH, commonPasswordsSource } from "../../scripts/make/common-passwords.ts";
import passwords from "../fixtures/passwords.json";

/** Guarantee: no account gets a password that is guessed first, and no other password is refused for its looks. */

const EMAIL = "ada.lovelace@engines.example";
const isRefused = (password: string, email = EMAIL) => !checkNewPassword("password", password, email).ok;

describe("API §10.6 refused", () => {
  it.each(passwords.refused)("%s", (password) => {
    expect(isRefused(password)).toBe(true);
  });

  it("a local part of digits, in any length", () => {
    expect(isRefused("4915901234", "4915901234@engines.example")).toBe(true);
  });
});

it.each(passwords.taken)("%s is taken", (password) => {
  expect(isRefused(password)).toBe(false);
});

it("a short local part refuses no password that only holds it", () => {
  expect(isRefused("jo8372619402", "jo@engines.example")).toBe(false);
});

it("says what is wrong and what to do, of the member that was sent", () => {
  expect(checkNewPassword("newPassword", "aaaaaaaaaa", EMAIL)).toMatchObject({
    code: "INVALID_REQUEST",
    message: "newPassword: must have at least 5 different characters",
    details: { issues: [{ in: "body", path: "newPassword" }], nextAction: expect.any(String) },
  });
});

it("the list is what its script makes", async () => {
  expect(await readFile(COMMON_PASSWORDS_PATH, "utf8")).toBe(commonPasswordsSource());
});
