import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type WebhookSubscription,
  webhooksCreate,
  webhooksDelete,
  webhooksList,
  webhooksListEventTypes,
  webhooksUpdate,
} from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import { DeleteButton } from '../../office/delete-button.tsx'
import { FormPage } from '../../office/form/form-page.tsx'
import { useForm } from '../../office/form/use-form.ts'
import { RecordState } from '../../office/record-state.tsx'
import { useOfficeSearch } from '../../office/search-state.ts'
import { SecretPage } from '../../office/secret-page.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'

type EndpointForm = { url: string; events: string[]; active: boolean }

const read = async () => (await call(webhooksList)).subscriptions
const toForm = ({ url, events, active }: WebhookSubscription): EndpointForm => ({ url, events, active })

export function EndpointEditor({ id }: { id: string }) {
  const endpoints = useQuery({ queryKey: ['webhooks'], queryFn: read })
  if (id === 'new') return <EndpointFormPage endpoint={null} />
  const endpoint = endpoints.data?.find((each) => each.id === id)
  return endpoint ? <EndpointFormPage endpoint={endpoint} /> : <RecordState query={endpoints} />
}

function EndpointFormPage({ endpoint }: { endpoint: WebhookSubscription | null }) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const [, setAddress] = useOfficeSearch()
  const [secret, setSecret] = useState<string | null>(null)
  const types = useQuery({
    queryKey: ['eventTypes'],
    queryFn: async () => (await call(webhooksListEventTypes)).eventTypes,
  })
  const finish = () => {
    void queries.invalidateQueries({ queryKey: ['webhooks'] })
    void setAddress({ id: null })
  }
  const form = useForm<EndpointForm>({
    name: `webhook:${endpoint?.id ?? 'new'}`,
    initial: endpoint === null ? { url: '', events: [], active: true } : toForm(endpoint),
    save: async ({ url, events }, changes, options) => {
      if (endpoint !== null) return call(webhooksUpdate, { ...changes, id: endpoint.id }, options)
      const created = await call(webhooksCreate, { url, ...(events.length > 0 && { events }) }, options)
      setSecret(created.secret ?? null)
      return created
    },
    readAgain:
      endpoint === null
        ? undefined
        : async () => toForm((await read()).find(({ id }) => id === endpoint.id) ?? endpoint),
    onSaved: endpoint === null ? () => {} : finish,
  })
  if (secret !== null)
    return (
      <SecretPage title={t('webhook.created')} text={t('webhook.onceText')} secret={secret} onDone={finish} />
    )
  return (
    <FormPage
      title={endpoint === null ? t('webhook.new') : t('webhook.edit')}
      form={form}
      fields={[
        {
          kind: 'url',
          name: 'url',
          label: t('webhook.url'),
          isRequired: true,
          maxLength: 2_000,
          isWide: true,
        },
        { kind: 'switch', name: 'active', label: t('webhook.isActive'), isShown: () => endpoint !== null },
        {
          kind: 'many',
          name: 'events',
          label: t('events'),
          hint: t('webhook.eventsHint'),
          isWide: true,
          options: (types.data ?? []).map(({ type }) => ({
            value: type,
            text: type.replace(/^service\./, ''),
          })),
        },
      ]}
      actions={
        endpoint !== null && (
          <DeleteButton
            route="webhooks.delete"
            name={endpoint.url}
            text={t('webhook.deleteText')}
            remove={() => call(webhooksDelete, { id: endpoint.id })}
            onDone={finish}
            isDirty={form.isDirty}
          />
        )
      }
    />
  )
}
