-- The clock that sweeps go by, one row for the installation: the last instant that a sweep accepted as true, and a clock that moved
-- more than a day away from it, with the operating time that has confirmed it so far. An installation that has swept before begins
-- with its last sweep.
create table sweep_clock (
  name text primary key,
  trusted_at timestamptz(3) not null,
  candidate_at timestamptz(3),
  confirmed_ms bigint not null default 0
);

insert into sweep_clock (name, trusted_at)
  values ('sweep', coalesce((select finished_at from jobs where name = 'sweep'), now()));
