ALTER TABLE `share_comments` ADD `file_verdicts` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `share_comments` ADD `pin_x` real;--> statement-breakpoint
ALTER TABLE `share_comments` ADD `pin_y` real;--> statement-breakpoint
ALTER TABLE `share_comments` ADD `reply_to` text;--> statement-breakpoint
ALTER TABLE `share_comments` ADD `is_member` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `share_comments` ADD `resolved_at` integer;--> statement-breakpoint
ALTER TABLE `shares` ADD `message` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `shares` ADD `due_at` integer;--> statement-breakpoint
ALTER TABLE `shares` ADD `is_clean` integer DEFAULT false NOT NULL;