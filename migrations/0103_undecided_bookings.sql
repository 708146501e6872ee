-- Since when the partner has not given a usable answer to a booking or a cancellation, which it may still carry out. A look that
-- comes before the partner has done so must not be the last one. Null where nothing is undecided.
alter table shipments add column undecided_since timestamptz(3);
