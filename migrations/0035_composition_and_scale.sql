ALTER TABLE `jobs` ADD `composition` text DEFAULT 'auto' NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `scale` integer DEFAULT 1 NOT NULL;