/**
 * SQL that queues, in the statement that writes events, one delivery of each for every endpoint that is active and wants
 * it: a delivery exists exactly when its event does (B-webhook-3). `events` names a CTE with the columns `id` and
 * `type`; the others are SQL for the workspace and for the time. An id is made of event and endpoint, so no statement
 * can queue the same twice, and it sorts by the time of the event.
 */
export const queueDeliveries = (events: string, accountId: string, now: string): string =>
  `insert into webhook_deliveries (account_id, id, subscription_id, event_id, type, status, attempts, by_hand, due_at,
      attempt_log, created_at, updated_at)
    select ${accountId}, 'whd_' || substr(w.id, 5, 10) || upper(substr(md5(w.id || s.id), 1, 16)), s.id, w.id, w.type,
      'pending', 0, false, ${now}, '[]', ${now}, ${now}
    from ${events} w join webhook_subscriptions s on s.account_id = ${accountId} and s.status = 'active'
      and (s.events = '{}' or w.type = any(s.events))
    where w.type like 'service.%'`

/** SQL of a look for an endpoint that hears of events: null where a workspace has none, and nothing is queued for it. */
export const followerOf = (accountId: string): string =>
  `(select 1 from webhook_subscriptions f where f.account_id = ${accountId} and f.status = 'active' limit 1)`
