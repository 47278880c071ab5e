/** Whom a person may sign in with besides a password, where the origin has an application there. */
export const OAUTH_PROVIDERS = ["github", "google"] as const;
export type OAuthProvider = (typeof OAUTH_PROVIDERS)[number];
