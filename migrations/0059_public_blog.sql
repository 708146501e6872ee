-- The public reads posts by date.
create index blog_posts_published on blog_posts (account_id, published_at, id) where status = 'published';
