CREATE TABLE `destinations` (
	`destination_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`identity` text NOT NULL,
	`settings` text NOT NULL,
	`sealed` text,
	`events` text NOT NULL,
	`low_balance_below` integer,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`disabled_code` text,
	`deleted_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `destinations_by_workspace` ON `destinations` (`workspace_id`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `destinations_one_each` ON `destinations` (`workspace_id`,`identity`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE TABLE `deliveries` (
	`delivery_number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`delivery_id` text NOT NULL,
	`workspace_id` text NOT NULL,
	`destination_id` text NOT NULL,
	`event_type` text NOT NULL,
	`reference` text NOT NULL,
	`artifact_id` text,
	`job_id` text,
	`facts` text,
	`origin` text,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`lease_id` text,
	`dispatched_at` integer,
	`failure_code` text,
	`failure_message` text,
	`receiver_status` integer,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`destination_id`) REFERENCES `destinations`(`destination_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_by_id` ON `deliveries` (`delivery_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_reference` ON `deliveries` (`reference`);--> statement-breakpoint
CREATE INDEX `deliveries_by_workspace` ON `deliveries` (`workspace_id`,`delivery_number`);--> statement-breakpoint
CREATE INDEX `deliveries_by_status` ON `deliveries` (`workspace_id`,`status`,`delivery_number`);--> statement-breakpoint
CREATE INDEX `deliveries_open` ON `deliveries` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_ended` ON `deliveries` (`finished_at`) WHERE finished_at IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_one_open` ON `deliveries` (`artifact_id`,`destination_id`) WHERE artifact_id IS NOT NULL AND finished_at IS NULL;--> statement-breakpoint
CREATE TABLE `delivery_files` (
	`delivery_id` text NOT NULL,
	`position` integer NOT NULL,
	`file_name` text NOT NULL,
	`byte_length` integer NOT NULL,
	`upload_id` text,
	`delivered_at` integer,
	PRIMARY KEY(`delivery_id`, `position`)
) STRICT;
--> statement-breakpoint
-- The last status of a job and its messages stand or fall together: the update writes both, whatever code asked for it.
CREATE TRIGGER `jobs_tell_their_end` AFTER UPDATE OF `status` ON `jobs` WHEN NEW.status IN ('succeeded', 'failed', 'canceled') AND OLD.status IN ('queued', 'running') BEGIN INSERT INTO deliveries (delivery_id, workspace_id, destination_id, event_type, reference, job_id, status, next_attempt_at, created_at) SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), NEW.workspace_id, d.destination_id, 'job.' || NEW.status, 'job.' || NEW.status || ':' || NEW.job_id || ':' || d.destination_id, NEW.job_id, 'queued', COALESCE(NEW.finished_at, NEW.created_at), COALESCE(NEW.finished_at, NEW.created_at) FROM destinations d WHERE d.workspace_id = NEW.workspace_id AND d.deleted_at IS NULL AND d.disabled_at IS NULL AND EXISTS (SELECT 1 FROM json_each(d.events) WHERE value = 'job.' || NEW.status); END;--> statement-breakpoint
-- Once for each fall below the mark: the event before left the balance at or above it, this one leaves it below.
CREATE TRIGGER `ledger_events_tell_low_balance` AFTER INSERT ON `ledger_events` WHEN NEW.source = 'credits' AND NEW.amount < 0 BEGIN INSERT INTO deliveries (delivery_id, workspace_id, destination_id, event_type, reference, facts, status, next_attempt_at, created_at) SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), NEW.workspace_id, d.destination_id, 'balance.low', 'balance.low:' || NEW.event_id || ':' || d.destination_id, json_object('available', NEW.balance_after, 'lowBalanceBelow', d.low_balance_below), 'queued', NEW.created_at, NEW.created_at FROM destinations d WHERE d.workspace_id = NEW.workspace_id AND d.deleted_at IS NULL AND d.disabled_at IS NULL AND NEW.balance_after < d.low_balance_below AND NEW.balance_after - NEW.amount >= d.low_balance_below AND EXISTS (SELECT 1 FROM json_each(d.events) WHERE value = 'balance.low'); END;
