-- A slug is found before its workspace is known, so its table lies apart from those of the workspaces where a database
-- has several nodes, and a foreign key cannot reach from one to the other. Workspaces are never deleted.
alter table account_slugs drop constraint account_slugs_account_id_fkey;
