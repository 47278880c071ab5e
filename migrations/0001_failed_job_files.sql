ALTER TABLE `jobs` ADD `purge_after` integer;--> statement-breakpoint
CREATE INDEX `jobs_purging` ON `jobs` (`purge_after`) WHERE purge_after IS NOT NULL;