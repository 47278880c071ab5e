ALTER TABLE `api_keys` ADD `session_id` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `session_role` text;--> statement-breakpoint
CREATE INDEX `api_keys_by_session` ON `api_keys` (`session_id`,`workspace_id`,`api_key_id`) WHERE session_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_of_sessions_expiring` ON `api_keys` (`expires_at`) WHERE session_id IS NOT NULL;