-- The table is always empty, and SQLite adds no constraint to a table that is there: it is made anew.
DROP TABLE `batch_guards`;--> statement-breakpoint
CREATE TABLE `batch_guards` (
	`violated` text NOT NULL,
	CONSTRAINT "key_active" CHECK("batch_guards"."violated" <> 'key_active'),
	CONSTRAINT "membership_active" CHECK("batch_guards"."violated" <> 'membership_active'),
	CONSTRAINT "workspace_limit" CHECK("batch_guards"."violated" <> 'workspace_limit'),
	CONSTRAINT "job_preconditions" CHECK("batch_guards"."violated" <> 'job_preconditions'),
	CONSTRAINT "asset_limit" CHECK("batch_guards"."violated" <> 'asset_limit'),
	CONSTRAINT "upload_unchanged" CHECK("batch_guards"."violated" <> 'upload_unchanged')
) STRICT;
