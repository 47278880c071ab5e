ALTER TABLE `api_keys` ADD `agent_account_id` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `agent_client_id` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `agent_host` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `agent_redirect_uri` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `agent_challenge` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `grant_family_hash` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `grant_hash` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `grant_spent_hash` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `grant_spent_at` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `grant_expires_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_grant_family` ON `api_keys` (`grant_family_hash`) WHERE grant_family_hash IS NOT NULL;