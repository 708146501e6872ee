-- A close that was cut off before its figures were written is found and finished.
create index shifts_uncounted on shifts (account_id, closed_at) where status = 'CLOSED' and summary is null;
