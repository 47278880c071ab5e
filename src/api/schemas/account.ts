import { z } from "@hono/zod-openapi";
import { LIMITS } from "../limits.ts";
import { MAIL_LANGUAGES } from "../mail-rules.ts";
import { OAUTH_PROVIDERS } from "../oauth-providers.ts";
import { nameOf, timestampSchema, uuidSchema } from "./primitives.ts";
import { strictBody } from "./strict-body.ts";

/** Accounts, their sessions, and sign-in. */

const ACCOUNT_ID = "0199f0d1-3a52-7e0b-8c11-4f6a9d2e7b30";

export const languageSchema = z.enum(MAIL_LANGUAGES).openapi({ description: "Language of emails." });

/** An email address, transformed to lower case. */
export const emailSchema = z
  .string()
  .max(LIMITS.emailCharactersMax)
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.email())
  .openapi({
    type: "string",
    format: "email",
    maxLength: LIMITS.emailCharactersMax,
    example: "ada@packs.example",
  });

const password = z
  .string()
  .min(LIMITS.passwordCharactersMin)
  .max(LIMITS.passwordCharactersMax)
  .openapi({ format: "password", example: "four words make one" });

/** A password to check. Its length has no minimum: the password may be older than the present rule. */
const givenPassword = z
  .string()
  .min(1)
  .max(LIMITS.passwordCharactersMax)
  .openapi({ format: "password", example: "four words make one" });

export const signUpBody = strictBody({
  name: nameOf(LIMITS.accountNameCharactersMax, "Ada"),
  email: emailSchema,
  password,
  language: languageSchema
    .optional()
    .openapi({ description: "Language of emails to the account; default `en`." }),
}).openapi("SignUp");

export const signUpSchema = z
  .object({ email: z.string().openapi({ description: "The address to sign in with." }) })
  .openapi("SignedUp", { example: { email: "ada@packs.example" } });

export const signInBody = strictBody({
  email: emailSchema,
  password: givenPassword,
}).openapi("SignIn");

export const sessionSchema = z
  .object({
    account: z.object({
      accountId: uuidSchema,
      name: z.string(),
      email: z.string(),
      isEmailConfirmed: z.boolean().openapi({
        description: "Whether the address is confirmed. If this origin sends mail, paid actions require it.",
      }),
      language: languageSchema,
    }),
    session: z.object({
      createdAt: timestampSchema,
      expiresAt: timestampSchema.openapi({
        description: "Expiry, UTC: a week after the last day of use.",
      }),
    }),
  })
  .openapi("Session", {
    example: {
      account: {
        accountId: ACCOUNT_ID,
        name: "Ada",
        email: "ada@packs.example",
        isEmailConfirmed: true,
        language: "en",
      },
      session: { createdAt: "2026-06-18T12:00:00.000Z", expiresAt: "2026-06-25T12:00:00.000Z" },
    },
  });

export type SessionView = z.infer<typeof sessionSchema>;

export const signedOutSchema = z
  .object({ signedOut: z.literal(true) })
  .openapi("SignedOut", { example: { signedOut: true } });

export const changePasswordBody = strictBody({
  currentPassword: givenPassword,
  newPassword: password,
}).openapi("ChangePassword");

export const changedPasswordSchema = z
  .object({ changed: z.literal(true) })
  .openapi("ChangedPassword", { example: { changed: true } });

const TOKEN_CHARACTERS_MAX = 1_000;

/** Fragment of an emailed link. */
const linkToken = z.string().min(1).max(TOKEN_CHARACTERS_MAX).openapi({
  description: "The part after `#` in the emailed link.",
  example: "cpa_…",
});

export const mailedAddressSchema = z
  .object({ email: z.string() })
  .openapi("MailedAddress", { example: { email: "ada@packs.example" } });

export const confirmEmailBody = strictBody({ token: linkToken }).openapi("ConfirmEmail");

export const changeEmailBody = strictBody({
  newEmail: emailSchema,
  password: givenPassword,
}).openapi("ChangeEmail");

export const changeEmailSchema = z
  .object({ newEmail: z.string() })
  .openapi("EmailToConfirm", { example: { newEmail: "ada.lovelace@packs.example" } });

export const askPasswordResetBody = strictBody({ email: emailSchema }).openapi("AskPasswordReset");

export const resetPasswordBody = strictBody({ token: linkToken, newPassword: password }).openapi(
  "ResetPassword",
);

export const changeLanguageBody = strictBody({ language: languageSchema }).openapi("ChangeLanguage");

export const accountLanguageSchema = z
  .object({ language: languageSchema })
  .openapi("AccountLanguage", { example: { language: "de" } });

export const providerParams = z.object({
  provider: z.enum(OAUTH_PROVIDERS),
});

export const oauthStartSchema = z
  .object({
    provider: z.enum(OAUTH_PROVIDERS),
    url: z.url().openapi({ description: "Redirect the browser here within ten minutes." }),
  })
  .openapi("OAuthStart", {
    example: { provider: "github", url: "https://github.com/login/oauth/authorize?client_id=a1b2c3" },
  });

/** Maximum length of each value in a provider's response. Real codes and messages are shorter. */
const CALLBACK_CHARACTERS_MAX = 2_048;
const callbackValue = z.string().max(CALLBACK_CHARACTERS_MAX).optional();

export const oauthCallbackQuery = z.object({
  code: callbackValue.openapi({ example: "4fa1c2" }),
  state: callbackValue.openapi({ example: "yQ7r2m" }),
  error: callbackValue.openapi({ example: "access_denied" }),
  error_description: callbackValue.openapi({ example: "The person refused." }),
  iss: callbackValue.openapi({ example: "https://accounts.google.com" }),
});
