ALTER TABLE `workspaces` ADD `suspended_at` integer;
