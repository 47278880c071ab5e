-- Open jobs by workspace, so that the share that a workspace has of the queue is counted, and its next jobs are found, in the index alone.
DROP INDEX `jobs_open`;--> statement-breakpoint
ALTER TABLE `jobs` ADD `messages` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `is_waiting` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `jobs_open` ON `jobs` (`workspace_id`,`is_waiting`,`dispatched_at`,`created_at`,`messages`) WHERE finished_at IS NULL;
