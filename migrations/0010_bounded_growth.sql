DROP INDEX `assets_to_purge`;--> statement-breakpoint
CREATE INDEX `assets_dead` ON `assets` (`created_at`) WHERE deleted_at IS NOT NULL OR status = 'rejected';--> statement-breakpoint
CREATE INDEX `assets_to_purge` ON `assets` (`workspace_id`,`purge_after`) WHERE purge_after IS NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_dead` ON `api_keys` (COALESCE(revoked_at, expires_at)) WHERE revoked_at IS NOT NULL OR expires_at IS NOT NULL;