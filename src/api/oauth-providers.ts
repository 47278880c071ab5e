/** Sign-in providers. An origin offers those for which it has an OAuth application. */
export const OAUTH_PROVIDERS = ["github", "google"] as const;
export type OAuthProvider = (typeof OAUTH_PROVIDERS)[number];
