import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type BlogPost,
  blogCreate,
  blogDelete,
  blogGet,
  blogPublish,
  blogUnpublish,
  blogUpdate,
} from 'kasir-client'
import { useRequestKey } from '../../app/request-key.ts'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import type { FieldSpec } from '../../office/form/field-spec.ts'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { May, useMay } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { NameList } from '../../office/name-list.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { type MarketingTranslate, useMarketingTexts } from '../../texts/marketing/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { POST_LOOKS } from './post-list.tsx'
import { PostPreview } from './post-preview.tsx'
import { NEW_POST, type PostValues, postBody, toPostValues } from './post-values.ts'

const read = async (id: string) => (await call(blogGet, { id })).post

export function PostEditor({ id }: { id: string }) {
  const isNew = id === 'new'
  const record = useRecord(['post', id], () => read(id), !isNew)
  if (isNew) return <PostForm post={null} onChange={() => {}} />
  if (!record.data) return <RecordState query={record} ErrorView={ModuleFailure} />
  return <PostForm key={record.data.updatedAt} post={record.data} onChange={() => void record.refetch()} />
}

type PostFormProps = { post: BlogPost | null; onChange(): void }

function PostForm({ post, onChange }: PostFormProps) {
  const m = useMarketingTexts()
  const may = useMay()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const refresh = () => void queries.invalidateQueries({ queryKey: ['posts'] })
  const form = useForm<PostValues>({
    name: `post:${post?.id ?? 'new'}`,
    initial: post === null ? NEW_POST : toPostValues(post),
    save: async (values, changes, options) => {
      const { post: saved } =
        post === null
          ? await call(blogCreate, postBody(values), options)
          : await call(blogUpdate, { ...postBody(changes), id: post.id }, options)
      refresh()
      void setAddress({ id: saved.id }, true)
    },
    readAgain: post === null ? undefined : async () => toPostValues(await read(post.id)),
    onSaved: onChange,
  })
  const leave = () => {
    refresh()
    void setAddress({ id: null })
  }
  return (
    <FormPage
      title={post?.title ?? m('post.new')}
      form={form}
      isReadOnly={!may(post === null ? 'blog.create' : 'blog.update')}
      fields={fieldsIn(m)}
      actions={
        post !== null && (
          <DeleteButton
            route="blog.delete"
            name={post.title}
            text={m('post.deleteText')}
            remove={() => call(blogDelete, { id: post.id })}
            onDone={leave}
            isDirty={form.isDirty}
          />
        )
      }
      before={
        post !== null && (
          <PublishButton
            post={post}
            isDirty={form.isDirty}
            onDone={() => {
              refresh()
              onChange()
            }}
          />
        )
      }
    >
      <NameList
        label={m('post.tags')}
        hint={m('post.tagsHint')}
        names={form.values.tags}
        error={form.errorAt('tags')}
        onNames={(tags) => form.set({ tags })}
      />
      <PostPreview values={form.values} />
    </FormPage>
  )
}

type PublishProps = { post: BlogPost; isDirty: boolean; onDone(): void }

/** The state of a post, with the button that publishes a draft or makes a published post a draft again. */
function PublishButton({ post, isDirty, onDone }: PublishProps) {
  const m = useMarketingTexts()
  const send = useRequestKey()
  const { id } = post
  const isDraft = post.status === 'draft'
  const change = useMutation({
    mutationFn: () =>
      send((idempotencyKey) => call(isDraft ? blogPublish : blogUnpublish, { id }, { idempotencyKey })),
    onSuccess: onDone,
  })
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <StateMark look={POST_LOOKS[post.status]}>{m(`post.${post.status}`)}</StateMark>
        <May route={isDraft ? 'blog.publish' : 'blog.unpublish'}>
          <Button disabled={isDirty || change.isPending} onClick={() => change.mutate()}>
            {m(isDraft ? 'post.publish' : 'post.unpublish')}
          </Button>
        </May>
        {isDirty && <span className="text-sm text-muted">{m('post.saveFirst')}</span>}
      </div>
      <Failure error={change.error} />
    </div>
  )
}

const fieldsIn = (m: MarketingTranslate): readonly FieldSpec<PostValues>[] => [
  { kind: 'text', name: 'title', label: m('post.title'), isRequired: true, maxLength: 200, isWide: true },
  {
    kind: 'area',
    name: 'body',
    label: m('post.body'),
    hint: m('post.bodyHint'),
    isRequired: true,
    rows: 12,
    maxLength: 200_000,
    isWide: true,
  },
  { kind: 'area', name: 'excerpt', label: m('post.excerpt'), maxLength: 500, isWide: true },
  { kind: 'text', name: 'authorName', label: m('post.author'), maxLength: 100 },
  { kind: 'text', name: 'coverImage', label: m('post.cover'), maxLength: 1_000 },
  { kind: 'text', name: 'slug', label: m('post.slug'), hint: m('post.slugHint'), maxLength: 160 },
  { kind: 'text', name: 'metaTitle', label: m('post.metaTitle'), maxLength: 200 },
  { kind: 'area', name: 'metaDescription', label: m('post.metaDescription'), maxLength: 500, isWide: true },
]
