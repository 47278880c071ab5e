ALTER TABLE `jobs` ADD `network` text;--> statement-breakpoint
ALTER TABLE `jobs` ADD `click_url` text;