import { accountAcceptInvitation } from "./account-accept-invitation.ts";
import { accountChangePassword } from "./account-change-password.ts";
import { accountCreateApiKey } from "./account-create-api-key.ts";
import { accountCreateInvitation } from "./account-create-invitation.ts";
import { accountCreateWorkspace } from "./account-create-workspace.ts";
import { accountGetBalance } from "./account-get-balance.ts";
import { accountGetSession } from "./account-get-session.ts";
import { accountListApiKeys } from "./account-list-api-keys.ts";
import { accountListArtifacts } from "./account-list-artifacts.ts";
import { accountListJobs } from "./account-list-jobs.ts";
import { accountListMembers } from "./account-list-members.ts";
import { accountListUsage } from "./account-list-usage.ts";
import { accountListWorkspaces } from "./account-list-workspaces.ts";
import { accountOAuthCallback } from "./account-oauth-callback.ts";
import { accountOAuthStart } from "./account-oauth-start.ts";
import { accountRemoveMember } from "./account-remove-member.ts";
import { accountRevokeApiKey } from "./account-revoke-api-key.ts";
import { accountSignIn } from "./account-sign-in.ts";
import { accountSignOut } from "./account-sign-out.ts";
import { accountSignUp } from "./account-sign-up.ts";
import { accountWithdrawInvitation } from "./account-withdraw-invitation.ts";

/** How a session begins and ends. */
export const sessionRoutes = [
  accountSignUp,
  accountSignIn,
  accountOAuthStart,
  accountOAuthCallback,
  accountGetSession,
  accountSignOut,
  accountChangePassword,
] as const;

/** What a signed-in person sees and does in a workspace. */
export const workspaceRoutes = [
  accountListWorkspaces,
  accountCreateWorkspace,
  accountGetBalance,
  accountListUsage,
  accountListApiKeys,
  accountCreateApiKey,
  accountRevokeApiKey,
  accountListJobs,
  accountListArtifacts,
] as const;

/** Who is in a workspace. */
export const memberRoutes = [
  accountListMembers,
  accountRemoveMember,
  accountCreateInvitation,
  accountWithdrawInvitation,
  accountAcceptInvitation,
] as const;
