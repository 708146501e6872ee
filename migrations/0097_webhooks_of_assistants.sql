-- An assistant chose the address: nothing is sent there until a member activates the endpoint.
alter table webhook_subscriptions add column awaits_member boolean not null default false;
alter table webhook_subscriptions add constraint webhook_subscriptions_awaits_member
  check (not awaits_member or status in ('paused', 'deleted'));
