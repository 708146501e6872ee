import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type WebhookDeliveryDetail, webhooksGetDelivery, webhooksRetryDelivery } from 'kasir-client'
import { RotateCw } from 'lucide-react'
import { call } from '../../app/service.ts'
import { useFollowedRecord } from '../../office/form/use-record.ts'
import { May } from '../../office/may.tsx'
import { Panel } from '../../office/panel.tsx'
import { RecordFrame } from '../../office/record-frame.tsx'
import { RecordState } from '../../office/record-state.tsx'
import { StateMark } from '../../office/state-mark.tsx'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { formatMoment } from '../../ui/time.ts'
import { DELIVERY_LOOKS } from './delivery-list.tsx'

const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

/** A delivery with its body and its attempts, and the button that sends it again. */
export function DeliveryDetail({ id }: { id: string }) {
  const t = useOfficeTexts()
  const queries = useQueryClient()
  const record = useFollowedRecord(
    ['delivery', id],
    async () => (await call(webhooksGetDelivery, { id })).delivery,
    ({ status }) => status === 'pending',
  )
  const retry = useMutation({
    mutationFn: () => call(webhooksRetryDelivery, { id }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['deliveries'] })
      void record.refetch()
    },
  })
  const delivery = record.data
  if (!delivery) return <RecordState query={record} />
  return (
    <RecordFrame
      title={delivery.type}
      aside={
        <>
          <StateMark look={DELIVERY_LOOKS[delivery.status]}>{t(`delivery.${delivery.status}`)}</StateMark>
          <May route="webhooks.retryDelivery">
            <Button
              disabled={retry.isPending || delivery.status === 'pending'}
              onClick={() => retry.mutate()}
            >
              <RotateCw aria-hidden size={18} />
              {t('delivery.retry')}
            </Button>
          </May>
        </>
      }
    >
      <Failure error={retry.error} />
      <Attempts delivery={delivery} />
      <Panel title={t('delivery.body')}>
        {delivery.body === null ? (
          <p className="p-4 text-muted">{t('delivery.noBody')}</p>
        ) : (
          <pre className="overflow-hidden p-4 text-xs break-all whitespace-pre-wrap">
            {pretty(delivery.body)}
          </pre>
        )}
      </Panel>
    </RecordFrame>
  )
}

function Attempts({ delivery }: { delivery: WebhookDeliveryDetail }) {
  const t = useOfficeTexts()
  return (
    <Panel title={t('delivery.attempts')}>
      <ol aria-label={t('delivery.attempts')} className="divide-y">
        {delivery.attemptLog.map(({ at, statusCode, durationMs, error, responseSnippet, manual }) => (
          <li key={at} className="grid gap-1 px-4 py-2 text-sm">
            <span className="flex flex-wrap items-center gap-x-3">
              <span className="font-medium">{formatMoment(at)}</span>
              <span className="tabular-nums">{statusCode ?? '–'}</span>
              <span className="text-muted tabular-nums">{durationMs} ms</span>
              {manual && <span className="text-muted">{t('delivery.manual')}</span>}
            </span>
            {error && <span className="break-all text-danger">{error}</span>}
            {responseSnippet && <code className="text-xs break-all text-muted">{responseSnippet}</code>}
          </li>
        ))}
        {delivery.attemptLog.length === 0 && (
          <li className="px-4 py-3 text-sm text-muted">
            {delivery.nextAttemptAt === null
              ? t('delivery.noAttempts')
              : t('delivery.next', { time: formatMoment(delivery.nextAttemptAt) })}
          </li>
        )}
      </ol>
    </Panel>
  )
}
