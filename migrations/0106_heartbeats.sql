-- One row, which health checks write again and again: a database may answer reads and take no writes.
create table heartbeats (
  id smallint primary key,
  beat_at timestamptz(3) not null
);
