import { useMutation } from '@tanstack/react-query'
import { customerCreditRemind } from 'kasir-client'
import { MessageCircle } from 'lucide-react'
import { useDevice } from '../app/device.ts'
import { call } from '../app/service.ts'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'

/** Shows the text that reminds a customer of a debt, with a link that opens it in WhatsApp. */
export function ReminderButton({ customerId, name }: { customerId: string; name: string }) {
  const t = useOfficeTexts()
  const lang = useDevice((device) => device.language)
  const reminder = useMutation({ mutationFn: () => call(customerCreditRemind, { id: customerId, lang }) })
  return (
    <>
      <Button
        look="quiet"
        aria-label={t('credit.remindName', { name })}
        disabled={reminder.isPending}
        onClick={() => reminder.mutate()}
      >
        <MessageCircle aria-hidden size={18} />
        {t('credit.remind')}
      </Button>
      {(reminder.data !== undefined || reminder.error !== null) && (
        <Dialog
          title={t('credit.remindName', { name })}
          onClose={reminder.reset}
          actions={
            reminder.data && (
              <a
                href={reminder.data.url}
                target="_blank"
                rel="noreferrer"
                className="inline-flex min-h-12 flex-1 items-center justify-center rounded-xl bg-brand px-4 font-semibold text-on-brand"
              >
                {t('credit.whatsapp')}
              </a>
            )
          }
        >
          <Failure error={reminder.error} />
          {reminder.data && (
            <div className="grid gap-3">
              <blockquote className="rounded-xl border p-3 break-words">{reminder.data.text}</blockquote>
              <p className="text-sm text-muted">{t('credit.remindText')}</p>
            </div>
          )}
        </Dialog>
      )}
    </>
  )
}
