CREATE TABLE `account_devices` (
	`account_id` text NOT NULL,
	`device_hash` text NOT NULL,
	`last_seen_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `device_hash`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`account_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `account_devices_last_seen` ON `account_devices` (`last_seen_at`);--> statement-breakpoint
CREATE TABLE `account_verifications` (
	`verification_id` text PRIMARY KEY NOT NULL,
	`identifier` text NOT NULL,
	`value` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `account_verifications_identifier` ON `account_verifications` (`identifier`);--> statement-breakpoint
CREATE INDEX `account_verifications_value` ON `account_verifications` (`value`);--> statement-breakpoint
CREATE INDEX `account_verifications_expiring` ON `account_verifications` (`expires_at`);--> statement-breakpoint
CREATE TABLE `billing_customers` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_customers_customer` ON `billing_customers` (`customer_id`);--> statement-breakpoint
CREATE TABLE `billing_events` (
	`event_id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`object_id` text NOT NULL,
	`facts` text NOT NULL,
	`outcome` text NOT NULL,
	`occurred_at` integer NOT NULL,
	`received_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `billing_events_by_object` ON `billing_events` (`object_id`);--> statement-breakpoint
CREATE INDEX `billing_events_waiting` ON `billing_events` (`type`) WHERE outcome = 'waiting';--> statement-breakpoint
CREATE INDEX `billing_events_received` ON `billing_events` (`received_at`);--> statement-breakpoint
CREATE INDEX `billing_events_without_effect` ON `billing_events` (`received_at`) WHERE outcome IN ('ignored', 'waiting');--> statement-breakpoint
CREATE TABLE `billing_orders` (
	`order_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`offer_id` text NOT NULL,
	`currency` text NOT NULL,
	`amount` integer NOT NULL,
	`credits` integer NOT NULL,
	`quota` integer,
	`session_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `billing_orders_created` ON `billing_orders` (`created_at`);--> statement-breakpoint
CREATE INDEX `billing_orders_by_workspace` ON `billing_orders` (`workspace_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `payments` (
	`payment_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`kind` text NOT NULL,
	`offer_id` text NOT NULL,
	`currency` text NOT NULL,
	`amount` integer NOT NULL,
	`credits` integer NOT NULL,
	`amount_refunded` integer DEFAULT 0 NOT NULL,
	`amount_disputed` integer DEFAULT 0 NOT NULL,
	`credits_held` integer DEFAULT 0 NOT NULL,
	`credits_owed` integer DEFAULT 0 NOT NULL,
	`dispute` text,
	`revision` integer DEFAULT 1 NOT NULL,
	`paid_at` integer NOT NULL,
	`receipt_url` text,
	`intent_id` text,
	`provider_subscription_id` text,
	`period_start` integer,
	`period_end` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_sums" CHECK("payments"."amount_refunded" >= 0 AND "payments"."amount_disputed" >= 0 AND "payments"."credits_held" >= 0 AND "payments"."credits_owed" >= 0)
) STRICT;
--> statement-breakpoint
CREATE INDEX `payments_by_workspace` ON `payments` (`workspace_id`,`paid_at`,`payment_id`);--> statement-breakpoint
CREATE INDEX `payments_paid` ON `payments` (`paid_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_by_intent` ON `payments` (`intent_id`) WHERE intent_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_owed` ON `payments` (`workspace_id`) WHERE credits_owed > 0;--> statement-breakpoint
CREATE INDEX `payments_in_dispute` ON `payments` (`workspace_id`) WHERE dispute = 'open';--> statement-breakpoint
CREATE TABLE `top_up_rules` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`offer_id` text NOT NULL,
	`credits` integer NOT NULL,
	`currency` text NOT NULL,
	`amount` integer NOT NULL,
	`below_credits` integer NOT NULL,
	`monthly_credits_max` integer NOT NULL,
	`status` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `top_ups` (
	`top_up_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`offer_id` text NOT NULL,
	`credits` integer NOT NULL,
	`month` text NOT NULL,
	`status` text NOT NULL,
	`payment_id` text,
	`payment_method_id` text,
	`failure_code` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`created_at` integer NOT NULL,
	`finished_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `top_ups_one_open` ON `top_ups` (`workspace_id`) WHERE status = 'open';--> statement-breakpoint
CREATE INDEX `top_ups_due` ON `top_ups` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `top_ups_by_month` ON `top_ups` (`workspace_id`,`month`);--> statement-breakpoint
CREATE TABLE `mail_messages` (
	`message_id` text PRIMARY KEY NOT NULL,
	`reference` text NOT NULL,
	`kind` text NOT NULL,
	`address` text NOT NULL,
	`language` text NOT NULL,
	`facts` text NOT NULL,
	`sealed` text,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`lease_id` text,
	`dispatched_at` integer,
	`failure_code` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`finished_at` integer
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `mail_messages_reference` ON `mail_messages` (`reference`);--> statement-breakpoint
CREATE INDEX `mail_messages_due` ON `mail_messages` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mail_messages_expiring` ON `mail_messages` (`expires_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `mail_messages_by_address` ON `mail_messages` (`address`,`created_at`);--> statement-breakpoint
CREATE INDEX `mail_messages_ended` ON `mail_messages` (`finished_at`) WHERE finished_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `mail_suppressions` (
	`address` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `usage_days` (
	`workspace_id` text NOT NULL,
	`day` text NOT NULL,
	`api_key_id` text NOT NULL,
	`contract_id` text NOT NULL,
	`source` text NOT NULL,
	`jobs` integer NOT NULL,
	`consumed` integer NOT NULL,
	`refunded` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `api_key_id`, `day`, `contract_id`, `source`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `ledger_months` (
	`workspace_id` text NOT NULL,
	`month` text NOT NULL,
	`first_event_id` integer NOT NULL,
	`opening_credits` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `month`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `workspace_notices` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`low_balance_below` integer NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `accounts` ADD `language` text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `api_key_id` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `daily_budget` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `monthly_budget` integer;--> statement-breakpoint
ALTER TABLE `shares` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `suspended_for` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `provider_subscription_id` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `plan_id` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `cancel_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `provider_event` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `ended_at` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `pays_until` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_by_provider` ON `subscriptions` (`provider_subscription_id`) WHERE provider_subscription_id IS NOT NULL;--> statement-breakpoint
-- The table is always empty, and SQLite adds no constraint to a table that is there: it is made anew.
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
	CONSTRAINT "import_held" CHECK("batch_guards"."violated" <> 'import_held')
) STRICT;
--> statement-breakpoint
-- What was spent before this table: the same sums, once.
INSERT OR IGNORE INTO usage_days (workspace_id, day, api_key_id, contract_id, source, jobs, consumed, refunded) SELECT j.workspace_id, strftime('%Y-%m-%d', j.created_at / 1000, 'unixepoch'), '', j.contract_id, c.source, count(*), sum(-c.amount), COALESCE(sum(r.amount), 0) FROM jobs j JOIN ledger_events c ON c.job_id = j.job_id AND c.type = 'consumption' LEFT JOIN ledger_events r ON r.job_id = j.job_id AND r.type = 'refund' GROUP BY 1, 2, 4, 5;--> statement-breakpoint
-- A job is written after its consumption, in the same batch.
CREATE TRIGGER `jobs_add_usage` AFTER INSERT ON `jobs` BEGIN INSERT INTO usage_days (workspace_id, day, api_key_id, contract_id, source, jobs, consumed, refunded) SELECT NEW.workspace_id, strftime('%Y-%m-%d', NEW.created_at / 1000, 'unixepoch'), COALESCE(NEW.api_key_id, ''), NEW.contract_id, e.source, 1, -e.amount, 0 FROM ledger_events e WHERE e.job_id = NEW.job_id AND e.type = 'consumption' ON CONFLICT (workspace_id, api_key_id, day, contract_id, source) DO UPDATE SET jobs = jobs + 1, consumed = consumed + excluded.consumed; END;--> statement-breakpoint
CREATE TRIGGER `ledger_events_refund_usage` AFTER INSERT ON `ledger_events` WHEN NEW.type = 'refund' BEGIN UPDATE usage_days SET refunded = refunded + NEW.amount WHERE (workspace_id, api_key_id, day, contract_id, source) = (SELECT j.workspace_id, COALESCE(j.api_key_id, ''), strftime('%Y-%m-%d', j.created_at / 1000, 'unixepoch'), j.contract_id, NEW.source FROM jobs j WHERE j.job_id = NEW.job_id); END;--> statement-breakpoint
-- The months of before this table, and from now on each with its first event.
INSERT OR IGNORE INTO ledger_months (workspace_id, month, first_event_id, opening_credits) SELECT workspace_id, month, event_id, COALESCE((SELECT b.balance_after FROM ledger_events b WHERE b.workspace_id = e.workspace_id AND b.event_id < e.event_id AND b.source = 'credits' ORDER BY b.event_id DESC LIMIT 1), 0) FROM (SELECT workspace_id, event_id, strftime('%Y-%m', created_at / 1000, 'unixepoch') AS month, max(strftime('%Y-%m', created_at / 1000, 'unixepoch')) OVER (PARTITION BY workspace_id ORDER BY event_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier FROM ledger_events) e WHERE earlier IS NULL OR month > earlier;--> statement-breakpoint
CREATE TRIGGER `ledger_events_begin_month` AFTER INSERT ON `ledger_events` BEGIN INSERT INTO ledger_months (workspace_id, month, first_event_id, opening_credits) SELECT NEW.workspace_id, strftime('%Y-%m', NEW.created_at / 1000, 'unixepoch'), NEW.event_id, iif(NEW.source = 'credits', NEW.balance_after - NEW.amount, w.credits) FROM workspaces w WHERE w.workspace_id = NEW.workspace_id AND NOT EXISTS (SELECT 1 FROM ledger_months m WHERE m.workspace_id = NEW.workspace_id AND m.month >= strftime('%Y-%m', NEW.created_at / 1000, 'unixepoch')); END;--> statement-breakpoint
-- Once for each fall below the mark, to owners whose address is confirmed. Without mail none is. An address is written no more than api/mail-rules.ts allows.
CREATE TRIGGER `ledger_events_mail_low_balance` AFTER INSERT ON `ledger_events` WHEN NEW.source = 'credits' AND NEW.type = 'consumption' BEGIN INSERT INTO mail_messages (message_id, reference, kind, address, language, facts, status, next_attempt_at, created_at, expires_at) SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), 'balance-low:' || NEW.event_id || ':' || a.account_id, 'balance-low', a.email, a.language, json_object('workspaceId', NEW.workspace_id, 'available', NEW.balance_after, 'lowBalanceBelow', COALESCE(n.low_balance_below, 10)), 'queued', NEW.created_at, NEW.created_at, NEW.created_at + 259200000 FROM workspace_members m JOIN accounts a ON a.account_id = m.account_id AND a.is_email_verified = 1 LEFT JOIN workspace_notices n ON n.workspace_id = m.workspace_id WHERE m.workspace_id = NEW.workspace_id AND m.role = 'owner' AND NEW.balance_after < COALESCE(n.low_balance_below, 10) AND NEW.balance_after - NEW.amount >= COALESCE(n.low_balance_below, 10) AND (SELECT count(*) FROM mail_messages WHERE address = a.email AND kind = 'balance-low' AND created_at > NEW.created_at - 86400000) < 10 AND (SELECT count(*) FROM mail_messages WHERE address = a.email AND kind NOT IN ('new-device', 'address-changed', 'receipt', 'top-up-failed') AND created_at > NEW.created_at - 86400000) < 100 ON CONFLICT (reference) DO NOTHING; END;--> statement-breakpoint
-- One mail for all packs of an hour that failed, when the hour is over.
CREATE TRIGGER `jobs_mail_failures` AFTER UPDATE OF `status` ON `jobs` WHEN NEW.status = 'failed' AND OLD.status IN ('queued', 'running') BEGIN INSERT INTO mail_messages (message_id, reference, kind, address, language, facts, status, next_attempt_at, created_at, expires_at) SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), 'packs-failed:' || NEW.workspace_id || ':' || ((COALESCE(NEW.finished_at, NEW.created_at) / 3600000 + 1) * 3600000) || ':' || a.account_id, 'packs-failed', a.email, a.language, json_object('workspaceId', NEW.workspace_id, 'fromMs', ((COALESCE(NEW.finished_at, NEW.created_at) / 3600000 + 1) * 3600000) - 3600000, 'toMs', ((COALESCE(NEW.finished_at, NEW.created_at) / 3600000 + 1) * 3600000)), 'queued', ((COALESCE(NEW.finished_at, NEW.created_at) / 3600000 + 1) * 3600000), COALESCE(NEW.finished_at, NEW.created_at), ((COALESCE(NEW.finished_at, NEW.created_at) / 3600000 + 1) * 3600000) + 259200000 FROM workspace_members m JOIN accounts a ON a.account_id = m.account_id AND a.is_email_verified = 1 WHERE m.workspace_id = NEW.workspace_id AND m.role = 'owner' AND (SELECT count(*) FROM mail_messages WHERE address = a.email AND kind NOT IN ('new-device', 'address-changed', 'receipt', 'top-up-failed') AND created_at > COALESCE(NEW.finished_at, NEW.created_at) - 86400000) < 100 ON CONFLICT (reference) DO NOTHING; END;--> statement-breakpoint
-- One open purchase of a workspace at a time, and no more credits in a calendar month than its rule allows. What a grant leaves below the mark buys again.
CREATE TRIGGER `ledger_events_top_up` AFTER INSERT ON `ledger_events` WHEN NEW.source = 'credits' AND NEW.type IN ('consumption', 'grant') BEGIN INSERT INTO top_ups (top_up_id, workspace_id, offer_id, credits, month, status, next_attempt_at, created_at) SELECT lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))), r.workspace_id, r.offer_id, r.credits, strftime('%Y-%m', NEW.created_at / 1000, 'unixepoch'), 'open', NEW.created_at, NEW.created_at FROM top_up_rules r WHERE r.workspace_id = NEW.workspace_id AND r.status = 'active' AND NEW.balance_after < r.below_credits AND NOT EXISTS (SELECT 1 FROM top_ups t WHERE t.workspace_id = r.workspace_id AND t.status = 'open') AND r.credits + COALESCE((SELECT sum(t.credits) FROM top_ups t WHERE t.workspace_id = r.workspace_id AND t.month = strftime('%Y-%m', NEW.created_at / 1000, 'unixepoch') AND t.status <> 'failed'), 0) <= r.monthly_credits_max; END;
