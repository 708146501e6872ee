-- Sessions whose end is long past are swept by it.
create index payment_sessions_age on payment_sessions (expires_at);
