/** Scopes and what they cover (contract §5). */
export const SCOPES = [
  "balance:read",
  "assets:read",
  "assets:write",
  "jobs:read",
  "jobs:write",
  "artifacts:read",
  "deliveries:write",
  "previews:read",
  "previews:write",
  "api-keys:read",
  "api-keys:write",
] as const;
export type Scope = (typeof SCOPES)[number];

/** What a trial key may do: balance, upload, jobs, polling, download (contract §5). */
export const TRIAL_SCOPES: readonly Scope[] = [
  "balance:read",
  "assets:read",
  "assets:write",
  "jobs:read",
  "jobs:write",
  "artifacts:read",
];
