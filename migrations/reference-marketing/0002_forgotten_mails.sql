-- What a mail said is forgotten once it is sent: the page beside its text was kept for a month.
update reference_marketing.mails set subject = '', html = null, unsubscribe_url = null where due_at is null;
