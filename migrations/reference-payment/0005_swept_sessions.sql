-- Sessions that ended unpaid long ago are swept by it.
create index checkout_sessions_unpaid on reference_payment.checkout_sessions (updated_at)
  where status in ('expired', 'canceled', 'failed');
