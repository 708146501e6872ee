-- A rotation keeps two keys: `next` is the new one, sealed with the old, `previous` the old one, sealed with the new, until
-- expires_at. What the old one signed that lives longer is checked with a key of that purpose alone (`signed <key id>`).
alter table secrets_keys drop constraint secrets_keys_name_check;
alter table secrets_keys add column sealed text;
alter table secrets_keys add column expires_at timestamptz(3);
