import { Type } from 'typebox'
import { route } from '../../../platform/http/route.ts'
import { Deleted, IdParams } from '../../../platform/http/shapes.ts'
import { Post, PostIn, PostPatch, PostQuery } from './schema.ts'
import { createPost, deletePost, getPost, listPosts, setStatus, updatePost } from './service.ts'

const row = { area: 'marketing', module: 'marketing' } as const
const One = Type.Object({ post: Post })
/** 200,000 characters, each of which may be written as an escape of six. */
const bodyLimit = 4 * 1024 * 1024

export const blogRoutes = [
  route({
    ...row,
    name: 'blog.list',
    method: 'GET',
    path: '/account/blog/posts',
    summary: 'List blog posts, newest first',
    description: 'A page of very long posts may hold fewer than `limit`; go on while `hasMore` is true.',
    access: 'read',
    delegation: 'read',
    page: true,
    query: PostQuery,
    returns: Post,
    handle: ({ db, scope, query }) => listPosts(db, scope, query),
  }),
  route({
    ...row,
    name: 'blog.create',
    method: 'POST',
    path: '/account/blog/posts',
    summary: 'Write a blog post, as a draft or published at once',
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
    summary: 'Remove a blog post for good',
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
    summary: 'Publish a draft; a published post stays as it is',
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
    summary: 'Take a post back to draft; its date is kept',
    access: 'write',
    delegation: 'write',
    params: IdParams,
    returns: One,
    handle: async ({ tx, scope, params }) => ({ post: await setStatus(tx, scope, params.id, 'draft') }),
  }),
]
