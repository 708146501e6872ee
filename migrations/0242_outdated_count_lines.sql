-- Another count has moved the level of these goods since the line was written (B-count-6).
alter table stock_count_lines add column outdated boolean not null default false;
update stock_count_lines mine set outdated = true
  from stock_counts c, stock_counts other, stock_count_lines theirs
  where c.account_id = mine.account_id and c.id = mine.count_id and c.status = 'OPEN'
    and other.account_id = mine.account_id and other.outlet_id = c.outlet_id and other.status = 'POSTED'
    and other.posted_at > mine.counted_at
    and theirs.account_id = mine.account_id and theirs.count_id = other.id and theirs.variant_id = mine.variant_id
    and theirs.posted <> 0;
