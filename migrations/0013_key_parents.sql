ALTER TABLE `api_keys` ADD `parent_key_id` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `ancestor_key_ids` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_by_parent` ON `api_keys` (`parent_key_id`,`api_key_id`) WHERE parent_key_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_unrevoked` ON `api_keys` (`workspace_id`) WHERE revoked_at IS NULL;