import { createRoute } from "@hono/zod-openapi";
import { checkNewPassword } from "../accounts/password-rules.ts";
import { signUp } from "../accounts/sign-up.ts";
import { signUpBody, signUpSchema } from "../contract/schemas/account.ts";
import { countStranger } from "../http/count-guess.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { withPasswordSlot } from "../http/password-work.ts";
import { requireCapability } from "../http/require-capability.ts";
import { authOf } from "../http/session.ts";
import { signInOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...signInOperation({
    operationId: "signUp",
    summary: "Sign up",
    description:
      "Makes an account, and a workspace without credits that it owns. The answer is the same where the address has " +
      "an account already: nothing changes then. Sign in next. A password that is guessed first, that counts up or " +
      "repeats itself, or that is the address or a part of it, is 400.",
    family: "sign-up",
    needs: [],
    takesJson: true,
  }),
  method: "post",
  path: "/api/account/sign-up",
  request: { body: { required: true, content: { "application/json": { schema: signUpBody } } } },
  responses: {
    202: success(signUpSchema, "The account stands"),
    ...failures(400, 403, 415, 429, 500, 501),
  },
});

export const accountSignUp = defineRoute(route, async (c) => {
  const request = c.req.valid("json");
  const { db } = requireCapability(c, "accounts");
  acceptedValue(checkNewPassword("password", request.password, request.email));
  await countStranger(c, "sign-up");
  await withPasswordSlot(c, async () => signUp(await authOf(c), db, request));
  return succeed(c, 202, { email: request.email });
});
