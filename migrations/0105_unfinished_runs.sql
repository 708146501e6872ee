-- Runs of a job in a row that began and never ended: the process was killed in each, or hung.
alter table jobs add column unfinished_runs integer not null default 0;
