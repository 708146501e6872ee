-- What runs in the background of the installation, by name: whether somebody runs it, when it is due and how it last went.
-- Every write raises `beat` and names the one it has seen, so of two processes one wins; a run whose beat stands still has
-- died with its process.
create table jobs (
  name text primary key,
  beat bigint not null default 0,
  running boolean not null default false,
  due_at timestamptz(3) not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  failed_at timestamptz(3),
  failure text
);
