CREATE TABLE `audit_events` (
	`event_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`type` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text,
	`actor_name` text,
	`actor_email` text,
	`subject_id` text,
	`subject_name` text,
	`detail` text,
	`request_id` text,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_events_by_workspace` ON `audit_events` (`workspace_id`,`event_id`);--> statement-breakpoint
CREATE INDEX `audit_events_by_type` ON `audit_events` (`workspace_id`,`type`,`event_id`);--> statement-breakpoint
CREATE TABLE `member_events` (
	`event_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`type` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_id` text,
	`actor_name` text,
	`actor_email` text,
	`subject_id` text,
	`subject_name` text,
	`detail` text,
	`request_id` text,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `member_events_by_workspace` ON `member_events` (`workspace_id`,`event_id`);--> statement-breakpoint
CREATE INDEX `ledger_events_money` ON `ledger_events` (`workspace_id`,`created_at`) WHERE type IN ('grant', 'expiry', 'adjustment');--> statement-breakpoint
-- A workspace that moves takes no writes, and notes them while it is copied.
CREATE TRIGGER `audit_events_insert_at_home` BEFORE INSERT ON `audit_events` WHEN EXISTS (SELECT 1 FROM workspaces w WHERE w.workspace_id = NEW.workspace_id AND (w.moving_since IS NOT NULL OR w.home IS NOT NULL)) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN SELECT RAISE(ABORT, 'the workspace is moving'); END;--> statement-breakpoint
CREATE TRIGGER `audit_events_never_changed` BEFORE UPDATE ON `audit_events` WHEN NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;--> statement-breakpoint
CREATE TRIGGER `member_events_never_changed` BEFORE UPDATE ON `member_events` BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;--> statement-breakpoint
CREATE TRIGGER `audit_events_delete_at_home` BEFORE DELETE ON `audit_events` WHEN EXISTS (SELECT 1 FROM workspaces w WHERE w.workspace_id = OLD.workspace_id AND w.moving_since IS NOT NULL AND w.home IS NULL) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN SELECT RAISE(ABORT, 'the workspace is moving'); END;--> statement-breakpoint
CREATE TRIGGER `audit_events_insert_noted` AFTER INSERT ON `audit_events` WHEN EXISTS (SELECT 1 FROM workspaces w WHERE w.workspace_id = NEW.workspace_id AND w.moving_to IS NOT NULL AND w.home IS NULL) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN INSERT INTO workspace_changes (workspace_id, table_name, root_key) SELECT w.workspace_id, 'audit_events', NEW.event_id FROM workspaces w WHERE w.workspace_id = NEW.workspace_id; END;--> statement-breakpoint
CREATE TRIGGER `audit_events_delete_noted` AFTER DELETE ON `audit_events` WHEN EXISTS (SELECT 1 FROM workspaces w WHERE w.workspace_id = OLD.workspace_id AND w.moving_to IS NOT NULL AND w.home IS NULL) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN INSERT INTO workspace_changes (workspace_id, table_name, root_key) SELECT w.workspace_id, 'audit_events', OLD.event_id FROM workspaces w WHERE w.workspace_id = OLD.workspace_id; END;--> statement-breakpoint
-- Plans and access are changed by operators, by events of the payment provider, and by disputes.
CREATE TRIGGER `subscriptions_insert_audited` AFTER INSERT ON `subscriptions` WHEN NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN INSERT INTO audit_events (event_id, workspace_id, type, actor_kind, subject_id, subject_name, detail) SELECT printf('%012x', CAST(unixepoch('subsec') * 1000 AS INTEGER)) || lower(hex(randomblob(10))), NEW.workspace_id, 'plan.started', iif(NEW.provider_subscription_id IS NULL, 'operator', 'system'), NEW.subscription_id, NEW.plan_id, NEW.quota_limit || ' credits a ' || NEW.period; END;--> statement-breakpoint
CREATE TRIGGER `subscriptions_update_audited` AFTER UPDATE OF status, plan_id, quota_limit, cancel_at ON `subscriptions` WHEN (NEW.status <> OLD.status OR NEW.plan_id IS NOT OLD.plan_id OR NEW.quota_limit <> OLD.quota_limit OR NEW.cancel_at IS NOT OLD.cancel_at) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN INSERT INTO audit_events (event_id, workspace_id, type, actor_kind, subject_id, subject_name, detail) SELECT printf('%012x', CAST(unixepoch('subsec') * 1000 AS INTEGER)) || lower(hex(randomblob(10))), NEW.workspace_id, iif(NEW.status = OLD.status, 'plan.changed', iif(NEW.status = 'active', 'plan.started', 'plan.ended')), iif(NEW.provider_subscription_id IS NULL, 'operator', 'system'), NEW.subscription_id, NEW.plan_id, NEW.quota_limit || ' credits a ' || NEW.period; END;--> statement-breakpoint
CREATE TRIGGER `workspaces_access_audited` AFTER UPDATE OF has_unlimited_access, suspended_at ON `workspaces` WHEN NEW.home IS NULL AND (NEW.has_unlimited_access <> OLD.has_unlimited_access OR (NEW.suspended_at IS NULL) <> (OLD.suspended_at IS NULL)) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN INSERT INTO audit_events (event_id, workspace_id, type, actor_kind, subject_id, subject_name, detail) SELECT printf('%012x', CAST(unixepoch('subsec') * 1000 AS INTEGER)) || lower(hex(randomblob(10))), NEW.workspace_id, iif((NEW.suspended_at IS NULL) = (OLD.suspended_at IS NULL), 'access.changed', iif(NEW.suspended_at IS NULL, 'workspace.resumed', 'workspace.suspended')), iif(coalesce(NEW.suspended_for, OLD.suspended_for) = 'dispute', 'system', 'operator'), NEW.workspace_id, NEW.name, iif(NEW.has_unlimited_access, 'unlimited', 'credits'); END;
