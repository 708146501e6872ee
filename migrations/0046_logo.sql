-- The address of the image that heads the workspace's receipts: that of an upload of its own.
alter table settings add column logo_url text;
