CREATE TABLE `workspace_moves` (
	`move_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`source` text NOT NULL,
	`target` text NOT NULL,
	`phase` text NOT NULL,
	`position` text,
	`revision` integer DEFAULT 0 NOT NULL,
	`frozen_at` integer,
	`opened_at` integer,
	`rows_written` integer DEFAULT 0 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `workspace_moves_one_open` ON `workspace_moves` (`workspace_id`) WHERE finished_at IS NULL;