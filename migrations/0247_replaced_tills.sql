-- The till that took the place of a revoked one in the same browser. If the answer with the new cookie is lost, the browser enrols
-- once more with the old one, and the next till takes over from the successor. Null for a till that was revoked by itself.
alter table tills add column replaced_by text;
