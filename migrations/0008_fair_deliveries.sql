DROP INDEX `deliveries_open`;--> statement-breakpoint
CREATE INDEX `deliveries_by_destination` ON `deliveries` (`destination_id`);--> statement-breakpoint
CREATE INDEX `deliveries_open` ON `deliveries` (`destination_id`,`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `destinations` ADD `missed_at` integer;--> statement-breakpoint
CREATE INDEX `destinations_removed` ON `destinations` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
-- As in 0006, but a destination for which 1,000 deliveries wait is told nothing more until some have ended, and says since
-- when: a receiver that is away for good, or slower than what it is told, may not fill the database.
DROP TRIGGER `jobs_tell_their_end`;--> statement-breakpoint
CREATE TRIGGER `jobs_tell_their_end` AFTER UPDATE OF `status` ON `jobs`
WHEN NEW.status IN ('succeeded', 'failed', 'canceled') AND OLD.status IN ('queued', 'running')
BEGIN
	INSERT INTO deliveries
		(delivery_id, workspace_id, destination_id, event_type, reference, job_id, status, next_attempt_at, created_at)
	SELECT
		lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
			|| substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
		NEW.workspace_id, d.destination_id, 'job.' || NEW.status,
		'job.' || NEW.status || ':' || NEW.job_id || ':' || d.destination_id,
		NEW.job_id, 'queued', COALESCE(NEW.finished_at, NEW.created_at), COALESCE(NEW.finished_at, NEW.created_at)
	FROM destinations d
	WHERE d.workspace_id = NEW.workspace_id AND d.deleted_at IS NULL AND d.disabled_at IS NULL
		AND EXISTS (SELECT 1 FROM json_each(d.events) WHERE value = 'job.' || NEW.status)
		AND (SELECT COUNT(*) FROM deliveries o
			WHERE o.destination_id = d.destination_id AND o.next_attempt_at IS NOT NULL) < 1000;
	UPDATE destinations SET missed_at = COALESCE(NEW.finished_at, NEW.created_at)
	WHERE workspace_id = NEW.workspace_id AND deleted_at IS NULL AND disabled_at IS NULL
		AND EXISTS (SELECT 1 FROM json_each(events) WHERE value = 'job.' || NEW.status)
		AND NOT EXISTS (SELECT 1 FROM deliveries
			WHERE reference = 'job.' || NEW.status || ':' || NEW.job_id || ':' || destinations.destination_id);
END;--> statement-breakpoint
DROP TRIGGER `ledger_events_tell_low_balance`;--> statement-breakpoint
CREATE TRIGGER `ledger_events_tell_low_balance` AFTER INSERT ON `ledger_events`
WHEN NEW.source = 'credits' AND NEW.amount < 0
BEGIN
	INSERT INTO deliveries
		(delivery_id, workspace_id, destination_id, event_type, reference, facts, status, next_attempt_at, created_at)
	SELECT
		lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
			|| substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))),
		NEW.workspace_id, d.destination_id, 'balance.low',
		'balance.low:' || NEW.event_id || ':' || d.destination_id,
		json_object('available', NEW.balance_after, 'lowBalanceBelow', d.low_balance_below),
		'queued', NEW.created_at, NEW.created_at
	FROM destinations d
	WHERE d.workspace_id = NEW.workspace_id AND d.deleted_at IS NULL AND d.disabled_at IS NULL
		AND NEW.balance_after < d.low_balance_below AND NEW.balance_after - NEW.amount >= d.low_balance_below
		AND EXISTS (SELECT 1 FROM json_each(d.events) WHERE value = 'balance.low')
		AND (SELECT COUNT(*) FROM deliveries o
			WHERE o.destination_id = d.destination_id AND o.next_attempt_at IS NOT NULL) < 1000;
	UPDATE destinations SET missed_at = NEW.created_at
	WHERE workspace_id = NEW.workspace_id AND deleted_at IS NULL AND disabled_at IS NULL
		AND NEW.balance_after < low_balance_below AND NEW.balance_after - NEW.amount >= low_balance_below
		AND EXISTS (SELECT 1 FROM json_each(events) WHERE value = 'balance.low')
		AND NOT EXISTS (SELECT 1 FROM deliveries
			WHERE reference = 'balance.low:' || NEW.event_id || ':' || destinations.destination_id);
END;
