ALTER TABLE `jobs` ADD `archive` text;--> statement-breakpoint
CREATE INDEX `artifacts_old` ON `artifacts` (purged_at / 86400000,`workspace_id`) WHERE purged_at IS NOT NULL AND files <> '[]';