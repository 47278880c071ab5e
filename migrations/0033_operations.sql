CREATE TABLE `alert_changes` (
	`change_id` text PRIMARY KEY NOT NULL,
	`figure` text NOT NULL,
	`state` text NOT NULL,
	`value` real NOT NULL,
	`threshold` real NOT NULL,
	`since` integer NOT NULL,
	`posted_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `alert_changes_by_figure` ON `alert_changes` (`figure`,`change_id`);--> statement-breakpoint
CREATE TABLE `database_figures` (
	`home` text PRIMARY KEY NOT NULL,
	`measured_at` integer NOT NULL,
	`figures` text NOT NULL,
	`ledger` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`hour` integer PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
) STRICT;
