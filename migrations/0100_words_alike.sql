-- Search finds words that are alike (src/core/likeness.ts has the rule): by their sounds, and by their sounds without each of
-- their vowels. The words are a column, kept by the database with every change of the text they are made of; their keys are
-- in the index alone. It takes the place of the trigrams of sounds.
alter table variants drop column sound_text;
alter table variants add column search_words text not null generated always as (
  regexp_replace(regexp_replace(translate(regexp_replace(search_text, '([a-z]+)2(?![a-z0-9_])', '\1 \1', 'g'), 'àáâãäåçèéêëìíîïñòóôõöùúûüý', 'aaaaaaceeeeiiiinooooouuuuy'), '[^ \t\n\r]*[0-9][^ \t\n\r]*', ' ', 'g'), '[\t\n\r !-`{-~]+', ' ', 'g')
) stored;

-- The account stands before each key, so a search reads the entries of its workspace alone. No pending list, as for letters.
create index variants_words on variants using gin ((
  array_to_tsvector(array_remove(string_to_array(replace(' ' || btrim(replace(replace(replace(regexp_replace(replace(replace(replace(replace(regexp_replace(translate(replace(search_words || ' ' || regexp_replace(search_words, '(^| )(?=[^ ]{4})([^aiueoy ]*(?:[aiueoy][^aiueoy ]*){0})[aiueoy]', '\1\2', 'g') || ' ' || regexp_replace(search_words, '(^| )(?=[^ ]{4})([^aiueoy ]*(?:[aiueoy][^aiueoy ]*){1})[aiueoy]', '\1\2', 'g') || ' ' || regexp_replace(search_words, '(^| )(?=[^ ]{4})([^aiueoy ]*(?:[aiueoy][^aiueoy ]*){2})[aiueoy]', '\1\2', 'g') || ' ' || regexp_replace(search_words, '(^| )(?=[^ ]{4})([^aiueoy ]*(?:[aiueoy][^aiueoy ]*){3})[aiueoy]', '\1\2', 'g') || ' ' || regexp_replace(search_words, '(^| )(?=[^ ]{4})([^aiueoy ]*(?:[aiueoy][^aiueoy ]*){4})[aiueoy]', '\1\2', 'g') || ' ' || regexp_replace(search_words, '(^| )(?=[^ ]{4})([^aiueoy ]*(?:[aiueoy][^aiueoy ]*){5})[aiueoy]', '\1\2', 'g'), 'x', 'ks'), 'cqvfyz', 'kkppis'), '([bdgkprst])h+|h+(?= |$)', '\1', 'g'), 'ie', 'i'), 'ee', 'i'), 'oo', 'u'), 'oe', 'u'), '(.)\1+', '\1', 'g') || ' ', 'b ', 'p '), 'd ', 't '), 'g ', 'k ')), ' ', ' ' || account_id || ':'), ' '), ''))
)) with (fastupdate = off) where is_live;
