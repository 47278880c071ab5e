import type { Route } from "#interface/http/route.ts";
import { changePasswordRoute } from "../account/change-password.ts";
import { changeEmailRoute, confirmEmailRoute, sendConfirmationRoute } from "../account/email.ts";
import { changeLanguageRoute } from "../account/language.ts";
import { finishOAuthRoute, startOAuthRoute } from "../account/oauth.ts";
import { askPasswordResetRoute, resetPasswordRoute } from "../account/reset-password.ts";
import { getSessionRoute, signInRoute, signOutRoute } from "../account/session.ts";
import { signUpRoute } from "../account/sign-up.ts";

export const routes: readonly Route[] = [
  ...[signUpRoute, signInRoute, startOAuthRoute, finishOAuthRoute],
  ...[getSessionRoute, signOutRoute, changePasswordRoute],
  ...[askPasswordResetRoute, resetPasswordRoute],
  ...[sendConfirmationRoute, confirmEmailRoute, changeEmailRoute, changeLanguageRoute],
];
