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
  summary: "Resend the confirmation email",
  description:
    "Sends the account's address a new confirmation link, unless it is already confirmed. An address gets only a " +
    "few per hour.",
  access: SESSION,
  needs: ["mail"],
  errors: ["MAIL_LIMIT_REACHED"],
  responses: { 202: success(mailedAddressSchema, "The recipient") },
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
    "Takes the token after `#` in an emailed link, valid for one day, and confirms the address of a sign-up or " +
    "completes a change of address. Needs no session and creates none. Confirming twice changes nothing; the link of " +
    "a change works once.",
  access: SIGN_IN,
  window: "sign-in",
  needs: ["rateLimit", "mail"],
  errors: ["LINK_INVALID"],
  json: confirmEmailBody,
  responses: { 200: success(mailedAddressSchema, "The confirmed address") },
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
  summary: "Change the email address",
  description:
    "Checks the password and sends a confirmation link to the new address. The old address stays valid until the " +
    "link is opened, and then gets a notice. If the new address belongs to another account, the response is the same " +
    "and no email is sent. A new request replaces a pending change.",
  access: SESSION,
  needs: ["rateLimit", "mail"],
  errors: ["CREDENTIALS_INVALID", "SIGN_IN_BUSY"],
  json: changeEmailBody,
  responses: { 202: success(changeEmailSchema, "The recipient of the link") },
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
  description: "Sets the language of future emails to the account.",
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
