/** Blog posts, from draft to publication */

export { publishedPost, publishedPosts } from './public.ts'
export { blogRoutes } from './routes.ts'
export { PublicPost, PublicPostWhole } from './schema.ts'
