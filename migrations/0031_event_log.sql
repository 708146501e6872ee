-- Who caused an event, from where; unknown for what was written before.
alter table events add column cause text;
-- The transaction that wrote it. What a follower has read, no later commit can precede: it reads below the oldest
-- transaction that still runs, and ids are made before a commit, by clocks of several machines.
alter table events add column tx xid8 not null default '0';
alter table events alter column tx set default pg_current_xact_id();
create index events_in_order on events (account_id, tx, id);
-- The log of one record; the partial indexes for sales and customers are part of it.
create index events_of_record on events (account_id, ref_id, id);
drop index events_of_sale;
drop index events_of_customer;
-- Types that a busy shop writes seldom: the others are found by walking back from the newest.
create index events_by_type on events (account_id, type, id)
  where type not in ('service.sale.completed.v1', 'service.payment.received.v1');
