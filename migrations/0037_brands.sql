CREATE TABLE `brands` (
	`brand_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`name` text NOT NULL,
	`design` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `brands_by_workspace` ON `brands` (`workspace_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `jobs` ADD `brand_id` text;--> statement-breakpoint
ALTER TABLE `jobs` ADD `brand_asset_ids` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `button_style` text;--> statement-breakpoint
-- The table is always empty, and SQLite adds no constraint to an existing table.
DROP TABLE `batch_guards`;--> statement-breakpoint
CREATE TABLE `batch_guards` (
	`violated` text NOT NULL,
	CONSTRAINT "key_active" CHECK("batch_guards"."violated" <> 'key_active'),
	CONSTRAINT "membership_active" CHECK("batch_guards"."violated" <> 'membership_active'),
	CONSTRAINT "workspace_limit" CHECK("batch_guards"."violated" <> 'workspace_limit'),
	CONSTRAINT "job_preconditions" CHECK("batch_guards"."violated" <> 'job_preconditions'),
	CONSTRAINT "asset_limit" CHECK("batch_guards"."violated" <> 'asset_limit'),
	CONSTRAINT "upload_unchanged" CHECK("batch_guards"."violated" <> 'upload_unchanged'),
	CONSTRAINT "payment_unchanged" CHECK("batch_guards"."violated" <> 'payment_unchanged'),
	CONSTRAINT "key_budget" CHECK("batch_guards"."violated" <> 'key_budget'),
	CONSTRAINT "brand_writable" CHECK("batch_guards"."violated" <> 'brand_writable'),
	CONSTRAINT "import_held" CHECK("batch_guards"."violated" <> 'import_held')
) STRICT;
--> statement-breakpoint
-- A workspace that moves takes no writes, and notes them while it is copied.
CREATE TRIGGER `brands_insert_at_home` BEFORE INSERT ON `brands` WHEN EXISTS (SELECT 1 FROM workspaces w WHERE w.workspace_id = NEW.workspace_id AND (w.moving_since IS NOT NULL OR w.home IS NOT NULL)) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN SELECT RAISE(ABORT, 'the workspace is moving'); END;--> statement-breakpoint
CREATE TRIGGER `brands_update_at_home` BEFORE UPDATE ON `brands` WHEN EXISTS (SELECT 1 FROM workspaces w WHERE w.workspace_id = OLD.workspace_id AND (w.moving_since IS NOT NULL OR w.home IS NOT NULL)) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN SELECT RAISE(ABORT, 'the workspace is moving'); END;--> statement-breakpoint
CREATE TRIGGER `brands_delete_at_home` BEFORE DELETE ON `brands` WHEN EXISTS (SELECT 1 FROM workspaces w WHERE w.workspace_id = OLD.workspace_id AND w.moving_since IS NOT NULL AND w.home IS NULL) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN SELECT RAISE(ABORT, 'the workspace is moving'); END;--> statement-breakpoint
CREATE TRIGGER `brands_insert_noted` AFTER INSERT ON `brands` WHEN EXISTS (SELECT 1 FROM workspaces w WHERE w.workspace_id = NEW.workspace_id AND w.moving_to IS NOT NULL AND w.home IS NULL) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN INSERT INTO workspace_changes (workspace_id, table_name, root_key) SELECT w.workspace_id, 'brands', NEW.brand_id FROM workspaces w WHERE w.workspace_id = NEW.workspace_id; END;--> statement-breakpoint
CREATE TRIGGER `brands_update_noted` AFTER UPDATE ON `brands` WHEN EXISTS (SELECT 1 FROM workspaces w WHERE w.workspace_id = OLD.workspace_id AND w.moving_to IS NOT NULL AND w.home IS NULL) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN INSERT INTO workspace_changes (workspace_id, table_name, root_key) SELECT w.workspace_id, 'brands', OLD.brand_id FROM workspaces w WHERE w.workspace_id = OLD.workspace_id UNION SELECT w.workspace_id, 'brands', NEW.brand_id FROM workspaces w WHERE w.workspace_id = NEW.workspace_id; END;--> statement-breakpoint
CREATE TRIGGER `brands_delete_noted` AFTER DELETE ON `brands` WHEN EXISTS (SELECT 1 FROM workspaces w WHERE w.workspace_id = OLD.workspace_id AND w.moving_to IS NOT NULL AND w.home IS NULL) AND NOT EXISTS (SELECT 1 FROM workspace_copies) BEGIN INSERT INTO workspace_changes (workspace_id, table_name, root_key) SELECT w.workspace_id, 'brands', OLD.brand_id FROM workspaces w WHERE w.workspace_id = OLD.workspace_id; END;