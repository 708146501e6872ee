-- Endpoints that were deleted long ago are swept by it.
create index webhook_subscriptions_deleted on webhook_subscriptions (updated_at) where status = 'deleted';
