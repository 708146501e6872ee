-- The removal of a modifier is noted, so that an offline sale that names it is told from one with an unknown id.
alter table catalogue_changes drop constraint catalogue_changes_type_check;
alter table catalogue_changes add constraint catalogue_changes_type_check check (type in
  ('category', 'product', 'variant', 'modifierGroup', 'modifier', 'floor', 'table', 'member', 'outlet', 'settings',
    'priceList', 'promotion'));
