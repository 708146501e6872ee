/**
 * The text of a statement that selects rows of all workspaces, or of $3, that are due by $1. Workspaces take turns, so that the rows of
 * one delay no others; of a workspace the longest overdue is first.
 */
export const dueInTurns = (table: string, column: string, condition = 'true') => `
  select account_id as "accountId", id from (
    select account_id, id, ${column} as due_at, row_number() over (partition by account_id order by ${column}) as turn
      from ${table} where ${column} <= $1 and ${condition} and ($3::text[] is null or account_id = any($3))) due
    order by turn, due_at limit $2`
