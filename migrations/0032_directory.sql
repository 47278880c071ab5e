CREATE TABLE `shard_states` (
	`home` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`measured_at` integer NOT NULL,
	`listed_up_to` text
) STRICT;
--> statement-breakpoint
CREATE TABLE `workspace_objects` (
	`object_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL
) STRICT, WITHOUT ROWID;
