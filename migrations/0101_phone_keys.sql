-- Numbers that were written with 00, or with both the country code and the leading 0 (+62 0812), had a key of their own.
update customers set phone_key = regexp_replace(phone_key, '^0+(62)?0*', '')
  where phone_key ~ '^0' and length(regexp_replace(phone_key, '^0+(62)?0*', '')) >= 3;
