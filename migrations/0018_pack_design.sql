ALTER TABLE `jobs` ADD `look` text DEFAULT 'classic' NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `variant` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `placements` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `overrides` text DEFAULT '{}' NOT NULL;