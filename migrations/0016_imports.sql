CREATE TABLE `asset_imports` (
	`asset_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`sealed` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`lease_id` text,
	`dispatched_at` integer,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`asset_id`) REFERENCES `assets`(`asset_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `asset_imports_due` ON `asset_imports` (`workspace_id`,`next_attempt_at`);--> statement-breakpoint
CREATE INDEX `asset_imports_expiring` ON `asset_imports` (`expires_at`);--> statement-breakpoint
ALTER TABLE `assets` ADD `imported_from` text;--> statement-breakpoint
-- The table is always empty, and SQLite adds no constraint to a table that is there: it is made anew.
DROP TABLE `batch_guards`;--> statement-breakpoint
CREATE TABLE `batch_guards` (
	`violated` text NOT NULL,
	CONSTRAINT "key_active" CHECK("batch_guards"."violated" <> 'key_active'),
	CONSTRAINT "membership_active" CHECK("batch_guards"."violated" <> 'membership_active'),
	CONSTRAINT "workspace_limit" CHECK("batch_guards"."violated" <> 'workspace_limit'),
	CONSTRAINT "job_preconditions" CHECK("batch_guards"."violated" <> 'job_preconditions'),
	CONSTRAINT "asset_limit" CHECK("batch_guards"."violated" <> 'asset_limit'),
	CONSTRAINT "upload_unchanged" CHECK("batch_guards"."violated" <> 'upload_unchanged'),
	CONSTRAINT "import_held" CHECK("batch_guards"."violated" <> 'import_held')
) STRICT;
