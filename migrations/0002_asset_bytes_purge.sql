ALTER TABLE `assets` ADD `purge_after` integer;--> statement-breakpoint
CREATE INDEX `assets_to_purge` ON `assets` (`purge_after`) WHERE purge_after IS NOT NULL;