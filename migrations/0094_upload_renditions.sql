-- What is made of an uploaded image: a thumbnail and the dots of receipts. Images that were stored before have neither yet.
alter table uploads add column rendered_at timestamptz(3);
-- The bytes that could not be decoded, and why: they are not decoded again.
alter table uploads add column refused_sha256 text;
alter table uploads add column refusal text;
create index uploads_not_rendered on uploads (account_id, id)
  where stored_at is not null and rendered_at is null and refusal is null;
-- The address of the thumbnail beside that of the image, where the image is an upload that has one.
alter table products add column thumbnail_url text;
alter table settings add column thumbnail_url text;
