import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Deleted, IdParams } from '../../../platform/http/shapes.ts'
import { Post, PostIn, PostPatch, PostQuery } from './schema.ts'
import { createPost, deletePost, getPost, listPosts, setStatus, updatePost } from './service.ts'

const row = { area: 'marketing', module: 'marketing' } as const
const One = Type.Object({ post: Post })
/** Allows a body of 200,000 characters, each written as an escape of six bytes. */
const bodyLimit = 4 * 1024 * 1024

export const blogRoutes = [
  route({
    ...row,
    name: 'blog.list',
    method: 'GET',
    path: '/account/blog/posts',
    summary: 'List blog posts, newest first',
    description:
      'A page of very long posts can have fewer than `limit` posts. Request further pages while `hasMore` is true.',
    access: 'page',
    delegation: 'read',
    query: PostQuery,
    returns: Post,
    handle: ({ db, scope, query }) => listPosts(db, scope, query),
  }),
  route({
    ...row,
    name: 'blog.create',
    method: 'POST',
    path: '/account/blog/posts',
    summary: 'Create a blog post',
    description: 'The slug is made from the title unless one is sent; one that is taken is 409.',
    access: 'write',
    delegation: 'write',
    status: 201,
    bodyLimit,
    body: PostIn,
    returns: One,
    handle: async ({ tx, scope, body }) => ({ post: await createPost(tx, scope, body) }),
  }),
  route({
    ...row,
    name: 'blog.get',
    method: 'GET',
    path: '/account/blog/posts/{id}',
    summary: 'Read a blog post',
    description: 'Also returns drafts. The public page shows published posts only.',
    access: 'read',
    delegation: 'read',
    params: IdParams,
    returns: One,
    handle: async ({ db, scope, params }) => ({ post: await getPost(db, scope, params.id) }),
  }),
  route({
    ...row,
    name: 'blog.update',
    method: 'PATCH',
    path: '/account/blog/posts/{id}',
    summary: 'Change a blog post',
    description:
      'Changes only the fields that are sent. A change of the title keeps the slug. Send an empty slug to derive a new one from the title.',
    access: 'write',
    delegation: 'write',
    bodyLimit,
    params: IdParams,
    body: PostPatch,
    returns: One,
    handle: async ({ tx, scope, params, body }) => ({ post: await updatePost(tx, scope, params.id, body) }),
  }),
  route({
    ...row,
    name: 'blog.delete',
    method: 'DELETE',
    path: '/account/blog/posts/{id}',
    summary: 'Delete a blog post permanently',
    description: 'The post disappears from its public address. Its slug may be used again.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: Deleted,
    handle: ({ tx, scope, params }) => deletePost(tx, scope, params.id),
  }),
  route({
    ...row,
    name: 'blog.publish',
    method: 'POST',
    path: '/account/blog/posts/{id}/publish',
    summary: 'Publish a draft',
    description:
      'The first publication sets `publishedAt`; later ones keep it. A published post does not change.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: One,
    handle: async ({ tx, scope, params }) => ({ post: await setStatus(tx, scope, params.id, 'published') }),
  }),
  route({
    ...row,
    name: 'blog.unpublish',
    method: 'POST',
    path: '/account/blog/posts/{id}/unpublish',
    summary: 'Unpublish a post',
    description: 'The post becomes a draft and keeps its date. A draft does not change.',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: One,
    handle: async ({ tx, scope, params }) => ({ post: await setStatus(tx, scope, params.id, 'draft') }),
  }),
]
