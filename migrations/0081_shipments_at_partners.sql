-- A shipment is at a partner whatever key the installation opens it with: the name of the partner had a part of the key in it, so
-- nothing was heard of a shipment any more once the key was another.
update shipments set partner = split_part(partner, ' ', 1) where partner like 'biteship %' or partner like 'reference %';
update shipment_requests set partner = split_part(partner, ' ', 1) where partner like 'biteship %' or partner like 'reference %';
