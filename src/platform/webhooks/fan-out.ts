/**
 * SQL that queues one delivery per event and subscribed active endpoint, in the statement that writes the events: a
 * delivery exists exactly when its event does (B-webhook-3). `events` names a CTE with the columns `id` and `type`;
 * the other parameters are SQL for the workspace and the time. A delivery id derives from event and endpoint, so no
 * statement can queue a delivery twice, and it sorts by event time.
 */
export const queueDeliveries = (events: string, accountId: string, now: string): string =>
  `insert into webhook_deliveries (account_id, id, subscription_id, event_id, type, status, attempts, by_hand, due_at,
      attempt_log, created_at, updated_at)
    select ${accountId}, 'whd_' || substr(w.id, 5, 10) || upper(substr(md5(w.id || s.id), 1, 16)), s.id, w.id, w.type,
      'pending', 0, false, ${now}, '[]', ${now}, ${now}
    from ${events} w join webhook_subscriptions s on s.account_id = ${accountId} and s.status = 'active'
      and (s.events = '{}' or w.type = any(s.events))
    where w.type like 'service.%'`

/** SQL that looks for an active endpoint: null if the workspace has none, so that no delivery is queued. */
export const followerOf = (accountId: string): string =>
  `(select 1 from webhook_subscriptions f where f.account_id = ${accountId} and f.status = 'active' limit 1)`
