import { expect, test } from 'vitest'
import { migrationsSuitBothEngines } from '../../scripts/lib/migration-rules.ts'

// That the migrations obey is held by `npm run check`; here the rule is seen to fire on what Citus refuses.

const complaints = (sql: string, name = '0900_new.sql') => migrationsSuitBothEngines([{ name, sql }])

test.each([
  ["alter table settings add column npwp text check (npwp <> '')", 'adds a column and its constraint'],
  ['alter table sales add column other_id text references others', 'adds a column and its constraint'],
  ['alter table sales add column a text, add constraint b check (a is not null)', 'beside something else'],
  ['create unique index sales_number on sales (number)', 'unique index'],
  [
    'create unique index if not exists sales_number on sales using btree (lower(number), account_id)',
    'unique index',
  ],
  [
    'create table tags (account_id text not null, id text not null unique, primary key (account_id, id))',
    'unique key',
  ],
  ['create table tags (id text primary key, account_id text not null)', 'unique key'],
  ['alter table sales add constraint one unique (number)', 'unique key'],
  ['create table tags (account_id text not null, id bigserial, primary key (account_id, id))', 'sequence'],
  ['create sequence numbers', 'sequence'],
  [
    'create table tags (account_id text not null, id bigint generated always as identity, primary key (account_id, id))',
    'sequence',
  ],
  ['create trigger t before insert on sales for each row execute function f()', 'trigger'],
])('a migration with "%s" is found', (sql, fault) => {
  expect(complaints(`${sql};\n`)).toEqual([expect.stringContaining(fault)])
})

test.each([
  'alter table settings add column npwp text',
  "alter table settings add constraint settings_npwp_check check (npwp <> '')",
  "alter table outlets add column tax_label text not null default 'unique', add column more text",
  'create unique index sales_number on sales (account_id, number)',
  'create table tags (account_id text not null references accounts, id text not null, label text check (length(label) < 9), primary key (account_id, id))',
  'create table positions (account_id text primary key references accounts, tx xid8 not null)',
  'create unique index member_emails_place on member_emails (member_id)',
  'create index sales_by_number on sales (number)',
])('a migration with "%s" is fine', (sql) => {
  expect(complaints(`${sql};\n`)).toEqual([])
})

test('migrations that ran everywhere before are left alone', () => {
  const sql = 'alter table settings add column npwp text check (npwp is not null);\n'
  expect(complaints(sql, '0016_settings_on_receipts.sql')).toEqual([])
})
