import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { checkNewPassword } from "#domains/accounts/password/password-rules.ts";
import { COMMON_PASSWORDS_PATH, commonPasswordsSource } from "../../scripts/make/common-passwords.ts";
import passwords from "../fixtures/passwords.json";

const EMAIL = "ada.lovelace@engines.example";
const isRefused = (password: string, email = EMAIL) => !checkNewPassword("password", password, email).ok;

describe("API §10.6 a rejected password", () => {
  it.each(passwords.refused)("%s", (password) => {
    expect(isRefused(password)).toBe(true);
  });

  it("may not be the address's local part, even if that consists of digits", () => {
    expect(isRefused("4915901234", "4915901234@engines.example")).toBe(true);
  });
});

it.each(passwords.taken)("the password %s is accepted", (password) => {
  expect(isRefused(password)).toBe(false);
});

it("a short local part does not exclude passwords that contain it", () => {
  expect(isRefused("jo8372619402", "jo@engines.example")).toBe(false);
});

it("a rejection names the reason, the remedy, and the member that was sent", () => {
  expect(checkNewPassword("newPassword", "aaaaaaaaaa", EMAIL)).toMatchObject({
    code: "INVALID_REQUEST",
    message: "newPassword: must have at least 5 different characters",
    details: { issues: [{ in: "body", path: "newPassword" }], nextAction: expect.any(String) },
  });
});

it("the list of common passwords matches the output of its script", async () => {
  expect(await readFile(COMMON_PASSWORDS_PATH, "utf8")).toBe(commonPasswordsSource());
});
