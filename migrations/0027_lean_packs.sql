-- What is drawn of a job stands in a row for each of its messages. Without a rowid the key is the row: one write each.
CREATE TABLE `job_parts` (
	`job_id` text NOT NULL,
	`part` integer NOT NULL,
	`attempts` integer NOT NULL,
	`lease_id` text,
	`lease_until` integer,
	`outputs_done` integer DEFAULT 0 NOT NULL,
	`files` text,
	PRIMARY KEY(`job_id`, `part`),
	FOREIGN KEY (`job_id`) REFERENCES `jobs`(`job_id`) ON UPDATE no action ON DELETE no action
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- As every row of a workspace that moves (0022).
CREATE TRIGGER `job_parts_insert_at_home` BEFORE INSERT ON `job_parts` WHEN EXISTS (SELECT 1 FROM jobs p JOIN workspaces w ON w.workspace_id = p.workspace_id WHERE p.job_id = NEW.job_id AND (w.moving_since IS NOT NULL OR w.home IS NOT NULL)) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN SELECT RAISE(ABORT, 'the workspace is moving'); END;--> statement-breakpoint
CREATE TRIGGER `job_parts_update_at_home` BEFORE UPDATE ON `job_parts` WHEN EXISTS (SELECT 1 FROM jobs p JOIN workspaces w ON w.workspace_id = p.workspace_id WHERE p.job_id = OLD.job_id AND (w.moving_since IS NOT NULL OR w.home IS NOT NULL)) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN SELECT RAISE(ABORT, 'the workspace is moving'); END;--> statement-breakpoint
CREATE TRIGGER `job_parts_delete_at_home` BEFORE DELETE ON `job_parts` WHEN EXISTS (SELECT 1 FROM jobs p JOIN workspaces w ON w.workspace_id = p.workspace_id WHERE p.job_id = OLD.job_id AND w.moving_since IS NOT NULL AND w.home IS NULL) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN SELECT RAISE(ABORT, 'the workspace is moving'); END;--> statement-breakpoint
ALTER TABLE `artifacts` ADD `files` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `artifacts` ADD `manifest_sha256` text;--> statement-breakpoint
ALTER TABLE `artifacts` ADD `file_details` text;--> statement-breakpoint
-- Packs that are there have no manifest object, which SQL cannot write: their details stay in their row.
UPDATE `artifacts` SET `files` = (SELECT json_group_array(json_remove(json_object('fileId', file_id, 'sizeId', size_id, 'role', role, 'fileName', file_name, 'width', width, 'height', height, 'contentType', content_type, 'byteLength', byte_length, 'sha256', sha256, 'animation', json(animation)), iif(animation IS NULL, '$.animation', '$.none'))) FROM (SELECT * FROM artifact_files f WHERE f.artifact_id = artifacts.artifact_id ORDER BY f.position)), `file_details` = (SELECT json_group_array(json_object('fileId', file_id, 'compliance', json(compliance), 'layout', json(layout))) FROM (SELECT * FROM artifact_files f WHERE f.artifact_id = artifacts.artifact_id ORDER BY f.position)) WHERE `file_details` IS NULL;--> statement-breakpoint
-- How far failed jobs came is shown with them. Open jobs start anew, and the sweep sends their messages.
INSERT OR IGNORE INTO `job_parts` (job_id, part, attempts, outputs_done) SELECT o.job_id, 0, 1, count(*) FROM job_outputs o JOIN jobs j ON j.job_id = o.job_id WHERE j.status = 'failed' AND o.status = 'done' GROUP BY o.job_id;--> statement-breakpoint
UPDATE `jobs` SET `dispatched_at` = NULL WHERE status IN ('queued', 'running');--> statement-breakpoint
-- Both tables stay, empty: the worker of before writes to them until the new one is there. Nothing reads them any more.
DELETE FROM `artifact_files`;--> statement-breakpoint
DELETE FROM `job_outputs`;--> statement-breakpoint
CREATE TRIGGER `job_outputs_stay_empty` AFTER INSERT ON `job_outputs` WHEN NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN DELETE FROM job_outputs WHERE job_id = NEW.job_id AND position = NEW.position; END;--> statement-breakpoint
-- The artifact of a job comes before its success, in the same batch. The worker of before would find no output left to wait for.
CREATE TRIGGER `jobs_succeed_with_artifact` BEFORE UPDATE OF `status` ON `jobs` WHEN NEW.status = 'succeeded' AND OLD.status = 'running' AND NOT EXISTS (SELECT 1 FROM artifacts WHERE artifact_id = NEW.artifact_id) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN SELECT RAISE(ABORT, 'a job succeeds with its artifact'); END;--> statement-breakpoint
-- Of artifacts, the id is that of the job, and of jobs only those that have ended are counted and listed by status.
DROP INDEX `artifacts_by_job`;--> statement-breakpoint
DROP INDEX `jobs_artifact`;--> statement-breakpoint
DROP INDEX `jobs_by_status`;--> statement-breakpoint
DROP INDEX `jobs_open`;--> statement-breakpoint
CREATE INDEX `jobs_ended` ON `jobs` (`workspace_id`,`status`,`created_at`) WHERE finished_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `jobs_open_by_workspace` ON `jobs` (`workspace_id`,`created_at`) WHERE finished_at IS NULL;--> statement-breakpoint
CREATE INDEX `jobs_open` ON `jobs` (`dispatched_at`) WHERE finished_at IS NULL;
