-- A key acts at most with the present role of the member who made it, also through another key of theirs. It keeps the last
-- one when that member leaves.
alter table api_keys add column role text not null default 'OWNER';
alter table api_keys add constraint api_keys_role check (role in ('OWNER', 'MANAGER', 'CASHIER'));
update api_keys k set role = m.role from members m
  where m.account_id = k.account_id and m.id = k.created_by and m.role <> 'OWNER';
-- Keys that keys made, from one maker to the next.
do $$ begin loop update api_keys k set role = p.role from api_keys p where p.account_id = k.account_id and p.id = k.created_by and p.role <> k.role; exit when not found; end loop; end $$;
