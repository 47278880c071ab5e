ALTER TABLE `jobs` ADD `name` text;--> statement-breakpoint
ALTER TABLE `jobs` ADD `version_of` text;--> statement-breakpoint
CREATE INDEX `jobs_versions` ON `jobs` (`version_of`) WHERE version_of IS NOT NULL;