import {
  accountLanguageSchema,
  changeEmailBody,
  changeEmailSchema,
  changeLanguageBody,
  confirmEmailBody,
  mailedAddressSchema,
} from "#api/schemas/account.ts";
import {
  askForAddressChange,
  confirmAddressChange,
  isChangeToken,
} from "#domains/accounts/email-address/change-address.ts";
import { confirmAddress, sendConfirmation } from "#domains/accounts/email-address/confirm-address.ts";
import { grantFreeSize } from "#domains/accounts/free-size.ts";
import { updateLanguage } from "#domains/accounts/store.ts";
import { SESSION, SIGN_IN } from "#interface/http/access.ts";
import { acceptedValue, succeed } from "#interface/http/envelope.ts";
import {
  countAddressMail,
  countLogin,
  countPasswordAttempt,
  withPasswordSlot,
} from "#interface/http/login-throttle.ts";
import { publicOrigin } from "#interface/http/origin.ts";
import { requireCapability } from "#interface/http/require-capability.ts";
import { defineRoute, success } from "#interface/http/route.ts";
import { authOf, cookiesOf, sendMail } from "#interface/http/session.ts";

const sendConfirmationRoute = defineRoute({
  operationId: "sendConfirmation",
  route: "POST /api/account/email/confirmation",
  summary: "Send the confirmation mail again",
  description:
    "Sends the account's address one more link that confirms it; nothing where it is confirmed. An address is sent a few " +
    "an hour.",
  access: SESSION,
  needs: ["mail"],
  errors: ["MAIL_LIMIT_REACHED"],
  responses: { 202: success(mailedAddressSchema, "Where the mail goes") },
  handler: async (c) => {
    const { db } = requireCapability(c, "accounts");
    const { email } = c.var.session;
    acceptedValue(await sendConfirmation(await authOf(c), email, cookiesOf(c)));
    sendMail(c, db);
    return succeed(c, 202, { email });
  },
});

const confirmEmailRoute = defineRoute({
  operationId: "confirmEmail",
  route: "POST /api/account/email/confirm",
  summary: "Confirm an address",
  description:
    "Takes what follows `#` in the link of a mail: one day of a sign-up or of a change of address, which is made by it. " +
    "It needs no session and opens none. Confirming an address once more changes nothing; the link of a change is good once.",
  access: SIGN_IN,
  window: "sign-in",
  needs: ["rateLimit", "mail"],
  errors: ["LINK_INVALID"],
  json: confirmEmailBody,
  responses: { 200: success(mailedAddressSchema, "The address that is confirmed") },
  handler: async (c, { json: { token } }) => {
    await countLogin(c, "sign-in");
    const { db, databases } = requireCapability(c, "accounts");
    const isChange = isChangeToken(token);
    const confirmed = isChange
      ? await confirmAddressChange(db, token, c.var.nowMs)
      : await confirmAddress(await authOf(c), token);
    const { email } = acceptedValue(confirmed);
    if (!isChange && c.env.bindings.FREE_SIZE === "on") await grantFreeSize(databases, email, c.var.nowMs);
    sendMail(c, db);
    return succeed(c, 200, { email });
  },
});

const changeEmailRoute = defineRoute({
  operationId: "changeEmail",
  route: "PUT /api/account/email",
  summary: "Change the address",
  description:
    "Asks for the password, and sends the new address a link that makes the change; until then the old one stays. The old " +
    "one is told of it then. An address that has an account is answered alike, and sent nothing. A change that waits ends " +
    "by another.",
  access: SESSION,
  needs: ["rateLimit", "mail"],
  errors: ["CREDENTIALS_INVALID", "SIGN_IN_BUSY"],
  json: changeEmailBody,
  responses: { 202: success(changeEmailSchema, "Where the link goes") },
  handler: async (c, { json: change }) => {
    const { db } = requireCapability(c, "accounts");
    const { encryption } = requireCapability(c, "mail");
    const { session, nowMs } = c.var;
    const mail = { encryption, origin: publicOrigin(c) };
    await countAddressMail(c, change.newEmail);
    await withPasswordSlot(c, async () => {
      await countPasswordAttempt(c, session.email);
      acceptedValue(await askForAddressChange(db, mail, session, change, nowMs));
    });
    sendMail(c, db);
    return succeed(c, 202, { newEmail: change.newEmail });
  },
});

const changeLanguageRoute = defineRoute({
  operationId: "changeLanguage",
  route: "PATCH /api/account/language",
  summary: "Change the language",
  description: "Of the mails that the account is sent from now on.",
  access: SESSION,
  json: changeLanguageBody,
  responses: { 200: success(accountLanguageSchema, "The language") },
  handler: async (c, { json: { language } }) => {
    const { db } = requireCapability(c, "accounts");
    await updateLanguage.run(db, { accountId: c.var.session.accountId, language, nowMs: c.var.nowMs });
    return succeed(c, 200, { language });
  },
});

export const addressRoutes = [
  sendConfirmationRoute,
  confirmEmailRoute,
  changeEmailRoute,
  changeLanguageRoute,
];
