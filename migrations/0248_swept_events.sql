-- The last sweep that removed all ordinary events past their age. The next one begins there: what lies before are events of the
-- audit log, which stay longer.
alter table sweep_clock add column swept_at timestamptz;
