/** Event types of the audit log. Later versions may add types. */
export const AUDIT_TYPES = [
  "key.created",
  "key.changed",
  "key.revoked",
  "member.invited",
  "member.invitation_withdrawn",
  "member.joined",
  "member.removed",
  "member.left",
  "destination.created",
  "destination.changed",
  "destination.enabled",
  "destination.secret_changed",
  "destination.removed",
  "share.opened",
  "image_secret.created",
  "image_secret.revoked",
  "credits.added",
  "credits.adjusted",
  "credits.expired",
  "plan.started",
  "plan.changed",
  "plan.ended",
  "access.changed",
  "workspace.suspended",
  "workspace.resumed",
  "connection.created",
  "connection.revoked",
] as const;
export type AuditType = (typeof AUDIT_TYPES)[number];

/** `operator`: a person who runs this origin. `system`: an event of the payment provider, or a scheduled task. */
export const AUDIT_ACTORS = ["account", "key", "operator", "system"] as const;
