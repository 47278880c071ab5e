import {
  askPasswordResetBody,
  changedPasswordSchema,
  changePasswordBody,
  mailedAddressSchema,
  resetPasswordBody,
} from "#api/schemas/account.ts";
import { checkNewPassword } from "#domains/accounts/password/password-rules.ts";
import { changePassword } from "#domains/accounts/sign-in/change-password.ts";
import { askForReset, resetPasswordByMail } from "#domains/accounts/sign-in/reset-password.ts";
import { SESSION, SIGN_IN } from "#interface/http/access.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import {
  countAddressMail,
  countLogin,
  countPasswordAttempt,
  withPasswordSlot,
} from "#interface/http/login-throttle.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { authOf, endSessionsEverywhere, sendMail } from "#interface/http/session.ts";
import { log } from "#platform/log/log.ts";

const changePasswordRoute = defineRoute({
  operationId: "changePassword",
  route: "POST /api/account/password",
  summary: "Change the password",
  description:
    "Requires the current password and ends all other sessions. A wrong password counts as a sign-in attempt. The " +
    "new password must meet the same rules as at sign-up.",
  access: SESSION,
  errors: ["CREDENTIALS_INVALID", "SIGN_IN_BUSY"],
  json: changePasswordBody,
  responses: { 200: success(changedPasswordSchema, "The password was changed") },
  handler: async (c, { json: change }) => {
    const { db } = requireCapability(c, "accounts");
    const { session, nowMs } = c.var;
    acceptedValue(checkNewPassword("newPassword", change.newPassword, session.email));
    await withPasswordSlot(c, async () => {
      await countPasswordAttempt(c, session.email);
      acceptedValue(await changePassword(db, session, change, nowMs));
    });
    await endSessionsEverywhere(c, session.accountId);
    return succeed(c, 200, { changed: true as const });
  },
});

const askPasswordResetRoute = defineRoute({
  operationId: "askPasswordReset",
  route: "POST /api/account/password/reset",
  summary: "Request a password reset",
  description:
    "Emails a link, valid once and for 30 minutes, if the address signs in with a password. The response and its " +
    "timing are the same for every address. Requests count by network over 15 minutes and by address over a day, " +
    "except from browsers in which the account has signed in.",
  access: SIGN_IN,
  window: "password-reset",
  needs: ["rateLimit", "mail"],
  json: askPasswordResetBody,
  responses: { 202: success(mailedAddressSchema, "An email is sent if the address has an account") },
  handler: async (c, { json: { email } }) => {
    await countLogin(c, "password-reset");
    await countAddressMail(c, email);
    const { db } = requireCapability(c, "accounts");
    const auth = await authOf(c);
    // Runs after the response, so that its timing does not reveal whether the account exists.
    c.executionCtx.waitUntil(
      askForReset(auth, email).then(
        () => sendMail(c, db),
        (thrown) => log.failure({ event: "password_reset_unsent" }, thrown),
      ),
    );
    return succeed(c, 202, { email });
  },
});

const resetPasswordRoute = defineRoute({
  operationId: "resetPassword",
  route: "POST /api/account/password/reset/confirm",
  summary: "Reset the password",
  description:
    "Takes the token after `#` in the emailed link, which works once. Ends every session of the account and every " +
    "key of a session, and opens no session. A new password that breaks the rules of sign-up is rejected, and the link " +
    "stays valid. The address counts as confirmed.",
  access: SIGN_IN,
  window: "sign-in",
  needs: ["rateLimit", "mail"],
  errors: ["LINK_INVALID", "SIGN_IN_BUSY"],
  json: resetPasswordBody,
  responses: { 200: success(changedPasswordSchema, "The password was changed") },
  handler: async (c, { json: reset }) => {
    const { db } = requireCapability(c, "accounts");
    await countLogin(c, "sign-in");
    const { accountId } = await withPasswordSlot(c, async () =>
      acceptedValue(await resetPasswordByMail(await authOf(c), db, reset, c.var.nowMs)),
    );
    await endSessionsEverywhere(c, accountId);
    return succeed(c, 200, { changed: true as const });
  },
});

export const passwordRoutes = [changePasswordRoute, askPasswordResetRoute, resetPasswordRoute];
