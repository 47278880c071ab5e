import { accountLanguageSchema, changeLanguageBody } from "#api/schemas/account.ts";
import { updateLanguage } from "#domains/accounts/store.ts";
import { SESSION } from "#interface/http/access.ts";
import { succeed } from "#interface/http/envelope.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";

export const changeLanguageRoute = defineRoute({
  operationId: "changeLanguage",
  method: "patch",
  path: "/api/account/language",
  summary: "Change the language",
  description: "Of the mails that the account is sent from now on.",
  access: SESSION,
  json: changeLanguageBody,
  responses: { 200: success(accountLanguageSchema, "The language") },
  handler: async (c) => {
    const { db } = requireCapability(c, "accounts");
    const { language } = c.req.valid("json");
    await updateLanguage.run(db, { accountId: c.var.session.accountId, language, nowMs: c.var.nowMs });
    return succeed(c, 200, { language });
  },
});
