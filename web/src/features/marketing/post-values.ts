import type { BlogPost } from 'kasir-client'

export type PostValues = Pick<
  BlogPost,
  'title' | 'excerpt' | 'coverImage' | 'authorName' | 'tags' | 'metaTitle' | 'metaDescription'
> & {
  /** Empty and null have the service make it from the title. */
  slug: string | null
  body: string
}

export const NEW_POST: PostValues = {
  title: '',
  body: '',
  excerpt: null,
  coverImage: null,
  authorName: null,
  slug: null,
  tags: [],
  metaTitle: null,
  metaDescription: null,
}

const FIELDS = Object.keys(NEW_POST) as (keyof PostValues)[]

export const toPostValues = (post: BlogPost): PostValues =>
  Object.fromEntries(FIELDS.map((name) => [name, post[name]])) as PostValues

/** The fields as the service takes them: a slug is a text there. */
export const postBody = <V extends Partial<PostValues>>({ slug, ...rest }: V) => ({
  ...rest,
  ...(slug !== undefined && { slug: slug ?? '' }),
})
