CREATE INDEX `workspaces_expiring_credits` ON `workspaces` (`expires_at`) WHERE expires_at IS NOT NULL AND credits > 0;--> statement-breakpoint
-- REPLACE deletes the row in its way without firing the delete trigger, so it is refused before it can.
-- Statements that may be repeated ask for their reference themselves instead of leaving it to ON CONFLICT.
-- (Where no event_id is given, NEW.event_id is -1 here, which no event has.)
CREATE TRIGGER `ledger_events_never_replaced` BEFORE INSERT ON `ledger_events` WHEN EXISTS (SELECT 1 FROM ledger_events WHERE reference = NEW.reference) OR EXISTS (SELECT 1 FROM ledger_events WHERE event_id = NEW.event_id) BEGIN SELECT RAISE(ABORT, 'ledger events are never replaced'); END;
