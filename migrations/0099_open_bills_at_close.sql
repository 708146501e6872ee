-- How many bills of a shift were open when it was closed: one that is completed before the figures are written moves to another
-- shift. Null while the shift is open, and where an earlier version closed it.
alter table shifts add column open_bills integer;
