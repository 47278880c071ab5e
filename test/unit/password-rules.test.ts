import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { COMMON_PASSWORDS_PATH, commonPasswordsSource } from "../../scripts/make-common-passwords.ts";
import { checkNewPassword } from "../../src/accounts/password-rules.ts";

/** Guarantee: no account gets a password that is guessed first, and no other password is refused for its looks. */

const EMAIL = "ada.lovelace@engines.example";
const isRefused = (password: string, email = EMAIL) => !checkNewPassword("password", password, email).ok;

describe("API §10.6 refused", () => {
  it.each([
    ...["aaaaaaaaaa", "AAAAAAAAAA", "1212121212", "abcabcabcabc", "🌻".repeat(12), "          x"],
    ...["1234567890", "0987654321", "abcdefghij", "jihgfedcba", "7890123456", "qwertyuiop", "q1w2e3r4t5"],
    ...[
      "password123",
      "Password123",
      "passw0rd123",
      "P@ssw0rd2024!",
      "pass word 123",
      "123password123",
      "$ecret12345",
    ],
    ...[
      "ｐａｓｓｗｏｒｄ１２３",
      "basketball",
      "BasketBall",
      "iloveyou123",
      "dragon123456",
      "Creative Packs",
      "creativepacks1!",
    ],
    ...[
      "ada.lovelace@engines.example",
      "Ada.Lovelace",
      "ada.lovelace1815",
      "engines.example",
      "!ada.lovelace!",
    ],
  ])("%s", (password) => {
    expect(isRefused(password)).toBe(true);
  });

  it("a local part of digits, in any length", () => {
    expect(isRefused("4915901234", "4915901234@engines.example")).toBe(true);
  });
});

it.each([
  ...[
    "correct horse battery",
    "four words make one",
    "a quite new password",
    "not the password",
    "tr0ub4dor&3 x",
  ],
  ...[
    "8462019375",
    "zq8!kf93hw",
    "password manager please",
    "k3f9w-2mzxp-77dqa-9rtyu-bbv4n",
    "пять слов или больше",
  ],
])("%s is taken", (password) => {
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
