/** Scopes and what they cover (API §5.4). */
export const SCOPES = [
  "balance:read",
  "assets:read",
  "assets:write",
  "brands:read",
  "brands:write",
  "jobs:read",
  "jobs:write",
  "artifacts:read",
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

/** What a trial key may do: balance, upload, jobs, polling, download (API §5.8). */
export const TRIAL_SCOPES: readonly Scope[] = [
  "balance:read",
  "assets:read",
  "assets:write",
  "jobs:read",
  "jobs:write",
  "artifacts:read",
];
