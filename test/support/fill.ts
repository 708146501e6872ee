import type pg from 'pg'

/**
 * Rows by the hundred thousand in seconds: foreign keys of the table are dropped for good (its rows are made to fit),
 * and its indexes are built once, behind the rows.
 */
export async function fillTable(client: pg.Client, table: string, insert: string, values: unknown[] = []) {
  const { rows: keys } = await client.query<{ name: string }>(
    `select conname as name from pg_constraint where contype = 'f' and conrelid = $1::regclass`,
    [table],
  )
  for (const { name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  const { rows: indexes } = await client.query<{ name: string; text: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text from pg_index
      where indrelid = $1::regclass and not indisprimary`,
    [table],
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query(insert, values)
  for (const { text } of indexes) await client.query(text)
  await client.query(`vacuum analyze ${table}`)
}

export type History = {
  outletId: string
  /** Sales from number `first` on; ids are their numbers, so higher ones are newer. */
  count: number
  first?: number
  /** SQL over the number `n` of a sale. */
  status?: string
  orderType?: string
  kitchenOpen?: string
  shiftId?: string | null
  /** When sale `n` was made and last changed. */
  at?: string
}

type Owner = { workspace: { accountId: string } }

/** Completed cash sales of 10,000 with no lines, written as one set. */
export const fillSales = (client: pg.Client, { workspace }: Owner, history: History) => {
  const { outletId, count, first = 1, status = `'COMPLETED'`, orderType = 'null', shiftId = null } = history
  const { kitchenOpen = 'false', at = `now() - (${first + count} - n) * interval '1 second'` } = history
  return fillTable(
    client,
    'sales',
    `insert into sales (account_id, id, number, outlet_id, shift_id, order_type, status, item_count, subtotal,
        discount_total, order_discount, tax_rate_bps, tax_inclusive, tax_total, delivery_fee, total, paid_total,
        change_total, kitchen_open, cashier_id, created_at, updated_at)
      select $1, 'txn_' || lpad(n::text, 26, '0'), n::text, $2, $3, ${orderType}, ${status}, 1, 10000, 0, 0, 0, false,
        0, 0, 10000, case when ${status} = 'COMPLETED' then 10000 else 0 end, 0, ${kitchenOpen}, 'usr_1', ${at}, ${at}
      from generate_series($4::int, $4::int + $5::int - 1) n`,
    [workspace.accountId, outletId, shiftId, first, count],
  )
}
