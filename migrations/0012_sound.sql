-- What a text sounds like (src/areas/catalogue/products/sound.ts has the rule and its reasons), so that search finds
-- amerikano, capucino and kopy. Kept by the database with every change of the text it is made of.
alter table variants add column sound_text text not null generated always as (
  regexp_replace(replace(replace(replace(replace(regexp_replace(translate(replace(regexp_replace(search_text, '([[:alpha:]]+)2\M', '\1 \1', 'g'), 'x', 'ks'), 'cqvfyz', 'kkppis'), '(?<=[bdgkprst])h|h\M', '', 'g'), 'ie', 'i'), 'ee', 'i'), 'oo', 'u'), 'oe', 'u'), '([[:alpha:]])\1+', '\1', 'g')
) stored;

create index variants_sound on variants using gin (account_id, sound_text gin_trgm_ops) with (fastupdate = off) where is_live;
