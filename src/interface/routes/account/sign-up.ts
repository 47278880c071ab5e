import { signUpBody, signUpSchema } from "#api/schemas/account.ts";
import { checkNewPassword } from "#domains/accounts/password/password-rules.ts";
import { signUp } from "#domains/accounts/sign-in/sign-up.ts";
import { SIGN_IN } from "#interface/http/access.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import { countLogin, withPasswordSlot } from "#interface/http/login-throttle.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { authOf, SET_DEVICE_HEADER, sendMail, takeDevice } from "#interface/http/session.ts";

export const signUpRoute = defineRoute({
  operationId: "signUp",
  method: "post",
  path: "/api/account/sign-up",
  summary: "Sign up",
  description:
    "Makes an account, and a workspace without credits that it owns. The answer is the same where the address has " +
    "an account already: nothing changes then. Sign in next. A password that is guessed first, that counts up or " +
    "repeats itself, or that is the address or a part of it, is 400. Where this origin sends mail, a new account is sent " +
    "a link that confirms its address.",
  access: SIGN_IN,
  window: "sign-up",
  needs: ["rateLimit"],
  errors: ["SIGN_IN_BUSY"],
  json: signUpBody,
  responses: { 202: success(signUpSchema, "The account stands", SET_DEVICE_HEADER) },
  handler: async (c) => {
    const request = c.req.valid("json");
    const { db } = requireCapability(c, "accounts");
    acceptedValue(checkNewPassword("password", request.password, request.email));
    await countLogin(c, "sign-up");
    const { language = "en", ...person } = request;
    const deviceHash = await takeDevice(c);
    await withPasswordSlot(c, async () => signUp(await authOf(c), db, { ...person, language, deviceHash }));
    // Asked for a taken address as well: the answer does not wait for it.
    sendMail(c, db);
    return succeed(c, 202, { email: request.email });
  },
});
