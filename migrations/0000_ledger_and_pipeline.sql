CREATE TABLE `api_keys` (
	`api_key_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`prefix` text NOT NULL,
	`secret_hash` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`expires_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_secret_hash` ON `api_keys` (`secret_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_by_workspace` ON `api_keys` (`workspace_id`,`api_key_id`);--> statement-breakpoint
CREATE TABLE `artifact_files` (
	`file_id` text PRIMARY KEY NOT NULL,
	`artifact_id` text NOT NULL,
	`position` integer NOT NULL,
	`size_id` text NOT NULL,
	`role` text NOT NULL,
	`file_name` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`content_type` text NOT NULL,
	`byte_length` integer NOT NULL,
	`sha256` text NOT NULL,
	`object_key` text NOT NULL,
	`compliance` text NOT NULL,
	`layout` text NOT NULL,
	`animation` text,
	FOREIGN KEY (`artifact_id`) REFERENCES `artifacts`(`artifact_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `artifact_files_by_artifact` ON `artifact_files` (`artifact_id`,`position`);--> statement-breakpoint
CREATE UNIQUE INDEX `artifact_files_by_name` ON `artifact_files` (`artifact_id`,`file_name`);--> statement-breakpoint
CREATE TABLE `artifacts` (
	`artifact_id` text PRIMARY KEY NOT NULL,
	`job_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`status` text NOT NULL,
	`engine_version` text NOT NULL,
	`total_bytes` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`purged_at` integer,
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`job_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `artifacts_by_job` ON `artifacts` (`job_id`);--> statement-breakpoint
CREATE INDEX `artifacts_expiring` ON `artifacts` (`expires_at`) WHERE purged_at IS NULL;--> statement-breakpoint
CREATE TABLE `assets` (
	`asset_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`slot_id` text NOT NULL,
	`status` text NOT NULL,
	`file_name` text NOT NULL,
	`mime_type` text NOT NULL,
	`byte_length` integer NOT NULL,
	`width` integer,
	`height` integer,
	`sha256` text,
	`rejection_code` text,
	`rejection_message` text,
	`object_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`ready_at` integer,
	`deleted_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `assets_by_workspace` ON `assets` (`workspace_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `assets_by_workspace_slot` ON `assets` (`workspace_id`,`slot_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`workspace_id` text NOT NULL,
	`idempotency_key` text NOT NULL,
	`operation` text NOT NULL,
	`request_hash` text NOT NULL,
	`resource_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	PRIMARY KEY(`workspace_id`, `idempotency_key`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_expiring` ON `idempotency_keys` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `job_outputs` (
	`job_id` text NOT NULL,
	`position` integer NOT NULL,
	`size_id` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`lease_id` text,
	`lease_until` integer,
	`files` text,
	PRIMARY KEY(`job_id`, `position`),
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`job_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `job_outputs_by_size` ON `job_outputs` (`job_id`,`size_id`);--> statement-breakpoint
CREATE TABLE `jobs` (
	`job_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`status` text NOT NULL,
	`contract_id` text NOT NULL,
	`motion` text NOT NULL,
	`output_format` text NOT NULL,
	`selected_size_ids` text NOT NULL,
	`asset_ids` text NOT NULL,
	`copy` text NOT NULL,
	`brand` text NOT NULL,
	`render_inputs` text NOT NULL,
	`cost_credits` integer NOT NULL,
	`render_fingerprint` text NOT NULL,
	`artifact_id` text NOT NULL,
	`failure_code` text,
	`failure_message` text,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`finished_at` integer,
	`dispatched_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_artifact` ON `jobs` (`artifact_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_by_workspace` ON `jobs` (`workspace_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `jobs_by_status` ON `jobs` (`workspace_id`,`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `jobs_by_fingerprint` ON `jobs` (`workspace_id`,`render_fingerprint`,`created_at`);--> statement-breakpoint
CREATE INDEX `jobs_open` ON `jobs` (`dispatched_at`) WHERE status IN ('queued', 'running');--> statement-breakpoint
CREATE TABLE `ledger_events` (
	`event_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` text NOT NULL,
	`type` text NOT NULL,
	`amount` integer NOT NULL,
	`source` text NOT NULL,
	`balance_after` integer,
	`job_id` text,
	`subscription_id` text,
	`subscription_period_start` integer,
	`reference` text NOT NULL,
	`description` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_events_reference` ON `ledger_events` (`reference`);--> statement-breakpoint
CREATE INDEX `ledger_events_by_workspace` ON `ledger_events` (`workspace_id`,`event_id`);--> statement-breakpoint
CREATE INDEX `ledger_events_by_job` ON `ledger_events` (`job_id`) WHERE job_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`subscription_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`status` text NOT NULL,
	`period` text NOT NULL,
	`quota_limit` integer NOT NULL,
	`quota_used` integer DEFAULT 0 NOT NULL,
	`period_start` integer NOT NULL,
	`period_end` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "quota_within_limit" CHECK("subscriptions"."quota_used" >= 0 AND "subscriptions"."quota_used" <= "subscriptions"."quota_limit")
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_one_active` ON `subscriptions` (`workspace_id`) WHERE status = 'active';--> statement-breakpoint
CREATE TABLE `trial_claims` (
	`identity_hash` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`claimed_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `trial_claims_expiring` ON `trial_claims` (`expires_at`);--> statement-breakpoint
CREATE TABLE `uploads` (
	`upload_id` text PRIMARY KEY NOT NULL,
	`asset_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`completed_with_key` text,
	`completed_at` integer,
	FOREIGN KEY (`asset_id`) REFERENCES `assets`(`asset_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `uploads_by_asset` ON `uploads` (`asset_id`);--> statement-breakpoint
CREATE INDEX `uploads_pending` ON `uploads` (`expires_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE TABLE `workspaces` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`credits` integer DEFAULT 0 NOT NULL,
	`has_unlimited_access` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	CONSTRAINT "credits_never_negative" CHECK("workspaces"."credits" >= 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `workspaces_expiring` ON `workspaces` (`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
-- The ledger is append-only: what happened stays written.
CREATE TRIGGER `ledger_events_never_updated` BEFORE UPDATE ON `ledger_events` BEGIN SELECT RAISE(ABORT, 'ledger events are never updated'); END;--> statement-breakpoint
CREATE TRIGGER `ledger_events_never_deleted` BEFORE DELETE ON `ledger_events` BEGIN SELECT RAISE(ABORT, 'ledger events are never deleted'); END;--> statement-breakpoint
-- An event that misstates the balance it leads to never enters the ledger.
CREATE TRIGGER `ledger_events_balance_is_true` BEFORE INSERT ON `ledger_events` WHEN NEW.source = 'credits' AND NEW.balance_after IS NOT ( SELECT credits + NEW.amount FROM workspaces WHERE workspace_id = NEW.workspace_id ) BEGIN SELECT RAISE(ABORT, 'ledger event misstates its balance'); END;--> statement-breakpoint
-- The balance moves only here. CHECK (credits >= 0) refuses an overdraft and with it the whole batch.
CREATE TRIGGER `ledger_events_apply_credits` AFTER INSERT ON `ledger_events` WHEN NEW.source = 'credits' BEGIN UPDATE workspaces SET credits = credits + NEW.amount WHERE workspace_id = NEW.workspace_id; END;--> statement-breakpoint
-- A refund of an earlier period is recorded, but does not enlarge the present one.
CREATE TRIGGER `ledger_events_apply_subscription` AFTER INSERT ON `ledger_events` WHEN NEW.source = 'subscription' BEGIN UPDATE subscriptions SET quota_used = quota_used - NEW.amount WHERE subscription_id = NEW.subscription_id AND period_start = NEW.subscription_period_start; END;
