-- Which request closed a shift: its repetition is known even once somebody else has written the figures.
alter table shifts add column close_request text;
