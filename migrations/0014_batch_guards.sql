CREATE TABLE `batch_guards` (
	`violated` text NOT NULL,
	CONSTRAINT "key_active" CHECK("batch_guards"."violated" <> 'key_active'),
	CONSTRAINT "membership_active" CHECK("batch_guards"."violated" <> 'membership_active'),
	CONSTRAINT "workspace_limit" CHECK("batch_guards"."violated" <> 'workspace_limit'),
	CONSTRAINT "job_preconditions" CHECK("batch_guards"."violated" <> 'job_preconditions')
) STRICT;
