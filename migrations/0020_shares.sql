CREATE TABLE `shares` (
	`share_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`artifact_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`artifact_id`) REFERENCES `artifacts`(`artifact_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `shares_by_artifact` ON `shares` (`artifact_id`,`share_id`);--> statement-breakpoint
CREATE INDEX `shares_expiring` ON `shares` (`expires_at`);--> statement-breakpoint
CREATE TABLE `share_comments` (
	`comment_id` text PRIMARY KEY NOT NULL,
	`share_id` text NOT NULL,
	`file_id` text,
	`name` text NOT NULL,
	`text` text NOT NULL,
	`verdict` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`share_id`) REFERENCES `shares`(`share_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `share_comments_by_share` ON `share_comments` (`share_id`,`comment_id`);--> statement-breakpoint
CREATE INDEX `share_comments_verdicts` ON `share_comments` (`share_id`,`comment_id`) WHERE verdict IS NOT NULL;
