import { createRoute } from "@hono/zod-openapi";
import { changePassword } from "../accounts/change-password.ts";
import { checkNewPassword } from "../accounts/password-rules.ts";
import { changedPasswordSchema, changePasswordBody } from "../contract/schemas/account.ts";
import { countEmail } from "../http/count-guess.ts";
import { acceptedValue, succeed } from "../http/envelope.ts";
import { defineRoute, failures, success } from "../http/operation.ts";
import { withPasswordSlot } from "../http/password-work.ts";
import { requireCapability } from "../http/require-capability.ts";
import { sessionOperation } from "../http/session-operation.ts";

const route = createRoute({
  ...sessionOperation({
    operationId: "changePassword",
    summary: "Change the password",
    description:
      "Asks for the present one, and ends every other session. A wrong one counts as a try to sign in. The new one is refused as at sign-up.",
    family: "write",
    needs: [],
    takesJson: true,
    scope: null,
  }),
  method: "post",
  path: "/api/account/password",
  request: { body: { required: true, content: { "application/json": { schema: changePasswordBody } } } },
  responses: {
    200: success(changedPasswordSchema, "The password is another"),
    ...failures(400, 401, 403, 415, 429, 500, 501),
  },
});

export const accountChangePassword = defineRoute(route, async (c) => {
  const { db } = requireCapability(c, "accounts");
  const { session, nowMs } = c.var;
  const change = c.req.valid("json");
  acceptedValue(checkNewPassword("newPassword", change.newPassword, session.email));
  await withPasswordSlot(c, async () => {
    await countEmail(c, session.email);
    acceptedValue(await changePassword(db, session, change, nowMs));
  });
  return succeed(c, 200, { changed: true as const });
});
