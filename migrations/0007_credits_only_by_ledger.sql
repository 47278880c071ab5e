-- Credits move by the ledger's own trigger alone: at that moment the workspace's latest event is the one that moves
-- them, and says where to. A statement by hand changes the balance beside its events, and is refused.
CREATE TRIGGER `workspaces_credits_only_by_ledger` BEFORE UPDATE OF `credits` ON `workspaces`
WHEN NEW.credits IS NOT OLD.credits AND NOT EXISTS (
	SELECT 1 FROM ledger_events WHERE event_id = (
		SELECT MAX(event_id) FROM ledger_events WHERE workspace_id = NEW.workspace_id
	) AND source = 'credits' AND balance_after = NEW.credits AND balance_after - amount = OLD.credits
)
BEGIN
	SELECT RAISE(ABORT, 'credits move by ledger events only');
END;--> statement-breakpoint
-- A workspace begins without credits, and a REPLACE of one, which fires no update, would begin it again.
CREATE TRIGGER `workspaces_begin_without_credits` BEFORE INSERT ON `workspaces`
WHEN NEW.credits <> 0 OR EXISTS (SELECT 1 FROM workspaces WHERE workspace_id = NEW.workspace_id)
BEGIN
	SELECT RAISE(ABORT, 'a workspace begins once and without credits');
END;
