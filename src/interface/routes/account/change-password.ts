import { changedPasswordSchema, changePasswordBody } from "#api/schemas/account.ts";
import { checkNewPassword } from "#domains/accounts/password/password-rules.ts";
import { changePassword } from "#domains/accounts/sign-in/change-password.ts";
import { SESSION } from "#interface/http/access.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { countPasswordAttempt, withPasswordSlot } from "#interface/http/login-throttle.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { endSessionsEverywhere } from "#interface/http/session.ts";

export const changePasswordRoute = defineRoute({
  operationId: "changePassword",
  method: "post",
  path: "/api/account/password",
  summary: "Change the password",
  description:
    "Asks for the present one, and ends every other session. A wrong one counts as a try to sign in. The new one is refused as at sign-up.",
  access: SESSION,
  errors: ["CREDENTIALS_INVALID", "SIGN_IN_BUSY"],
  json: changePasswordBody,
  responses: { 200: success(changedPasswordSchema, "The password is another") },
  handler: async (c) => {
    const { db } = requireCapability(c, "accounts");
    const { session, nowMs } = c.var;
    const change = c.req.valid("json");
    acceptedValue(checkNewPassword("newPassword", change.newPassword, session.email));
    await withPasswordSlot(c, async () => {
      await countPasswordAttempt(c, session.email);
      acceptedValue(await changePassword(db, session, change, nowMs));
    });
    await endSessionsEverywhere(c, session.accountId);
    return succeed(c, 200, { changed: true as const });
  },
});
