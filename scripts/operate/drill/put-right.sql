-- Prints statements that repeat revocations and other changes which a restore has undone. Run it in `sqlite3` with the copy from before the
-- restore open and the restored database attached as `after`. Each statement may run twice. None concerns deleted accounts or workspaces.
SELECT 'UPDATE api_keys SET revoked_at = ' || b.revoked_at || ' WHERE api_key_id = ' || quote(b.api_key_id) || ';'
FROM api_keys b JOIN after.api_keys a USING (api_key_id) WHERE b.revoked_at IS NOT NULL AND a.revoked_at IS NULL
UNION ALL
SELECT 'UPDATE api_keys SET daily_budget = ' || quote(b.daily_budget) || ', monthly_budget = ' || quote(b.monthly_budget)
  || ' WHERE api_key_id = ' || quote(b.api_key_id) || ';'
FROM api_keys b JOIN after.api_keys a USING (api_key_id)
WHERE b.daily_budget IS NOT a.daily_budget OR b.monthly_budget IS NOT a.monthly_budget
UNION ALL
SELECT 'UPDATE shares SET revoked_at = ' || b.revoked_at || ' WHERE share_id = ' || quote(b.share_id) || ';'
FROM shares b JOIN after.shares a USING (share_id) WHERE b.revoked_at IS NOT NULL AND a.revoked_at IS NULL
UNION ALL
SELECT 'UPDATE workspaces SET suspended_at = ' || quote(b.suspended_at) || ', suspended_for = ' || quote(b.suspended_for)
  || ' WHERE workspace_id = ' || quote(b.workspace_id) || ';'
FROM workspaces b JOIN after.workspaces a USING (workspace_id) WHERE b.suspended_at IS NOT a.suspended_at
UNION ALL
SELECT 'UPDATE accounts SET email = ' || quote(b.email) || ', is_email_verified = ' || b.is_email_verified
  || ' WHERE account_id = ' || quote(b.account_id) || ';'
FROM accounts b JOIN after.accounts a USING (account_id)
WHERE b.email <> a.email OR b.is_email_verified <> a.is_email_verified
UNION ALL
SELECT 'UPDATE account_credentials SET password_hash = ' || quote(b.password_hash) || ' WHERE credential_id = '
  || quote(b.credential_id) || ';'
FROM account_credentials b JOIN after.account_credentials a USING (credential_id) WHERE b.password_hash IS NOT a.password_hash
UNION ALL
SELECT 'DELETE FROM workspace_members WHERE workspace_id = ' || quote(a.workspace_id) || ' AND account_id = '
  || quote(a.account_id) || ';'
FROM after.workspace_members a LEFT JOIN workspace_members b USING (workspace_id, account_id) WHERE b.account_id IS NULL
UNION ALL
SELECT 'INSERT OR REPLACE INTO workspace_members (workspace_id, account_id, role, created_at) VALUES (' || quote(b.workspace_id)
  || ', ' || quote(b.account_id) || ', ' || quote(b.role) || ', ' || b.created_at || ');'
FROM workspace_members b JOIN after.workspaces USING (workspace_id) JOIN after.accounts USING (account_id)
  LEFT JOIN after.workspace_members a USING (workspace_id, account_id) WHERE a.role IS NOT b.role
UNION ALL
SELECT 'DELETE FROM workspace_invitations WHERE invitation_id = ' || quote(a.invitation_id) || ';'
FROM after.workspace_invitations a LEFT JOIN workspace_invitations b USING (invitation_id) WHERE b.invitation_id IS NULL
UNION ALL
SELECT 'DELETE FROM image_secrets WHERE image_secret_id = ' || quote(a.image_secret_id) || ';'
FROM after.image_secrets a LEFT JOIN image_secrets b USING (image_secret_id) WHERE b.image_secret_id IS NULL
UNION ALL
SELECT 'INSERT OR IGNORE INTO mail_suppressions (address, reason, created_at) VALUES (' || quote(b.address) || ', '
  || quote(b.reason) || ', ' || b.created_at || ');'
FROM mail_suppressions b LEFT JOIN after.mail_suppressions a USING (address) WHERE a.address IS NULL
UNION ALL
SELECT 'DELETE FROM mail_suppressions WHERE address = ' || quote(a.address) || ';'
FROM after.mail_suppressions a LEFT JOIN mail_suppressions b USING (address) WHERE b.address IS NULL
UNION ALL
-- The directory lost the payments and links recorded since the restore point. Without shard states, requests query the shards until the sweep
-- lists them again.
SELECT 'DELETE FROM shard_states;';
