import { statement } from '../../../platform/db/statement.ts'

/**
 * Finds the first of `base`, `base-2`, `base-3`, … that no post has, except the post $3. The series is one longer than the number of
 * posts with such a slug, so at least one is free.
 */
export const FREE_SLUG = statement(
  'blog_free_slug',
  `select x.slug from (
      select n, case n when 1 then $2::text else $2::text || '-' || n end as slug
      from generate_series(1, (select count(*)::int + 1 from blog_posts b
        where b.account_id = $1 and (b.slug = $2 or b.slug like $2 || '-%'))) n
    ) x
    where not exists (select from blog_posts b where b.account_id = $1 and b.slug = x.slug and b.id is distinct from $3)
    order by x.n limit 1`,
)
