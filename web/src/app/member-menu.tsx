import { useNavigate } from '@tanstack/react-router'
import {
  CircleUserRound,
  KeyRound,
  LogOut,
  type LucideIcon,
  MonitorCheck,
  Printer,
  ScreenShare,
  UsersRound,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { countUnsent, useOutbox } from '../offline/outbox.ts'
import { usePrintingTexts } from '../texts/printing/texts.ts'
import { useTexts } from '../texts/texts.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Menu } from '../ui/menu.tsx'
import { useSession } from './session.ts'
import { signOut } from './sign-out.ts'
import { useTill } from './till.ts'

const EnrolDialog = lazyPart(() =>
  import('../features/till/enrol-dialog.tsx').then((file) => file.EnrolDialog),
)
const OwnPinDialog = lazyPart(() =>
  import('../features/till/own-pin-dialog.tsx').then((file) => file.OwnPinDialog),
)
const PrinterDialog = lazyPart(() =>
  import('../features/till/printer-dialog.tsx').then((file) => file.PrinterDialog),
)

type MemberDialog = 'enrol' | 'pin' | 'printer'

const entry = (key: string, Icon: LucideIcon, text: string, onChoose: () => void) => ({
  key,
  text: (
    <>
      <Icon aria-hidden size={20} className="shrink-0" />
      {text}
    </>
  ),
  onChoose,
})

/** The menu of the member, open from the start, and the windows that it opens. */
export function MemberMenu({ label, children }: { label: string; children: ReactNode }) {
  const t = useTexts()
  const navigate = useNavigate()
  const printing = usePrintingTexts()
  const member = useSession((session) => session.member)
  const till = useTill((state) => state.till)
  const lock = useTill((state) => state.lock)
  const [dialog, setDialog] = useState<MemberDialog | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <Menu
        label={label}
        align="end"
        heading={
          <p className="px-3 py-2">
            <span className="block font-semibold">{member?.name}</span>
            <span className="block text-sm text-muted">
              {member && t(`role.${member.role}`)}
              {member?.email && ` · ${member.email}`}
            </span>
          </p>
        }
        entries={[
          ...(till === null ? [] : [entry('switch', UsersRound, t('till.switch'), lock)]),
          entry('account', CircleUserRound, t('account'), () => void navigate({ to: '/akun' })),
          entry('pin', KeyRound, t('pin.own'), () => setDialog('pin')),
          entry('display', ScreenShare, t('display.open'), () => window.open('/layar', 'kasir-display')),
          entry('printer', Printer, printing('title'), () => setDialog('printer')),
          ...(till === null && member?.role !== 'CASHIER'
            ? [entry('enrol', MonitorCheck, t('till.enrol'), () => setDialog('enrol'))]
            : []),
          useSignOut(),
        ]}
      >
        {children}
      </Menu>
      {dialog === 'enrol' && <EnrolDialog onClose={close} />}
      {dialog === 'pin' && <OwnPinDialog onClose={close} />}
      {dialog === 'printer' && <PrinterDialog onClose={close} />}
    </>
  )
}

/** Sales that are not sent yet keep the member signed in. */
function useSignOut() {
  const t = useTexts()
  const unsent = useOutbox((outbox) => countUnsent(outbox.rows))
  return {
    ...entry('signOut', LogOut, t('signOut'), () => void signOut()),
    isDisabled: unsent > 0,
    ...(unsent > 0 && {
      text: (
        <>
          <LogOut aria-hidden size={20} className="shrink-0" />
          <span className="grid">
            {t('signOut')}
            <span className="max-w-56 text-sm">{t('signOut.unsent', { n: unsent })}</span>
          </span>
        </>
      ),
    }),
  }
}
