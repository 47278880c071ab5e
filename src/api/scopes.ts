/** Scopes of API keys (API §5.4). */
export const SCOPES = [
  "balance:read",
  "assets:read",
  "assets:write",
  "brands:read",
  "brands:write",
  "jobs:read",
  "jobs:write",
  "artifacts:read",
  "images:write",
  "deliveries:write",
  "destinations:write",
  "previews:read",
  "previews:write",
  "api-keys:read",
  "api-keys:write",
  "audit:read",
] as const;
export type Scope = (typeof SCOPES)[number];

export const isScope = (value: unknown): value is Scope => SCOPES.some((scope) => scope === value);

/**
 * Scopes that OAuth can grant to an agent: those that the tools of `/mcp` need (API §17.14). The scopes for managing
 * keys are excluded, because a key would outlive the agent's connection.
 */
export const AGENT_SCOPES: readonly Scope[] = [
  "balance:read",
  "assets:read",
  "assets:write",
  "brands:read",
  "jobs:read",
  "jobs:write",
  "artifacts:read",
  "previews:read",
  "previews:write",
  "deliveries:write",
];

/** Scopes of a trial key: balance, upload, jobs, polling, download (API §5.8). */
export const TRIAL_SCOPES: readonly Scope[] = [
  "balance:read",
  "assets:read",
  "assets:write",
  "jobs:read",
  "jobs:write",
  "artifacts:read",
];
