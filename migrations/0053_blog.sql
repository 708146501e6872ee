-- Posts of a workspace's blog. A published post has a date, which a draft may keep from before.
create table blog_posts (
  account_id text not null references accounts,
  id text not null,
  slug text not null check (length(slug) between 1 and 160),
  title text not null check (length(title) between 1 and 200),
  excerpt text check (length(excerpt) <= 500),
  body text not null check (length(body) between 1 and 200000),
  cover_image text check (length(cover_image) <= 1000),
  status text not null check (status in ('draft', 'published')),
  published_at timestamptz(3),
  author_name text check (length(author_name) <= 100),
  tags text[] not null,
  meta_title text check (length(meta_title) <= 200),
  meta_description text check (length(meta_description) <= 500),
  marketing_campaign_id text check (length(marketing_campaign_id) <= 64),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (account_id, id),
  check (status <> 'published' or published_at is not null)
);
create unique index blog_posts_slug on blog_posts (account_id, slug);
create index blog_posts_drafts on blog_posts (account_id, id) where status = 'draft';
