-- Whether receipts printed as jobs have a QR code of their public address (docs/behaviour.md, B-receipt-9).
alter table settings add column receipt_qr boolean not null default false;
