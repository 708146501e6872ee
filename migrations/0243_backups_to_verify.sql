-- Whether this backup was written to be verified: one that never is must not pass as young.
alter table backups add column to_verify boolean not null default false;
