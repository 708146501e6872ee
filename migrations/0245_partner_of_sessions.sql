-- The id of the partner at which a session was opened: another partner does not know the session, although the customer can still
-- pay it. Null for sessions from before this migration.
alter table payment_sessions add column partner text;
