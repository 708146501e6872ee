-- Images that members put into the storage of the service. A row is made when an address to send one to is signed, so no
-- bytes lie anywhere without a row; `sha256` when bytes were taken for it, `stored_at` once they are kept.
create table uploads (
  account_id text not null references accounts,
  id text not null,
  key text not null,
  content_type text not null check (content_type in ('image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif')),
  -- The member or API key that asked.
  created_by text not null,
  size integer check (size > 0),
  sha256 text,
  -- Of the image in pixels, where its header says so in a way we read.
  width integer,
  height integer,
  stored_at timestamptz(3),
  -- Since when nothing in the workspace names the image; null while something does, or nobody has looked.
  unused_since timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (account_id, id),
  unique (account_id, key),
  check ((size is null) = (sha256 is null)),
  check (stored_at is null or sha256 is not null)
);
create index uploads_by_age on uploads (account_id, created_at);
