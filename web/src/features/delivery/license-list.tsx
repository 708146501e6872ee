import { licensesList } from 'kasir-client'
import { KeyRound, Plus, SearchCheck } from 'lucide-react'
import { useState } from 'react'
import type { Column } from '../../office/list/column.ts'
import { ListPage } from '../../office/list/list-page.tsx'
import { May } from '../../office/may.tsx'
import { ModuleFailure } from '../../office/module-gate.tsx'
import { zoneOf } from '../../office/outlet-zone.ts'
import { idIn, instantIn, type PartnerRecord, readRows, textIn } from '../../office/partner-data.ts'
import { useOfficeSearch } from '../../office/search-state.ts'
import { StateMark } from '../../office/state-mark.tsx'
import { type DeliveryTranslate, useDeliveryTexts } from '../../texts/delivery/texts.ts'
import { useOfficeTexts } from '../../texts/office/texts.ts'
import { Button } from '../../ui/button.tsx'
import { formatMoment } from '../../ui/time.ts'
import { LicenseCheck } from './license-check.tsx'

const STATES = ['active', 'expired'] as const

export function LicenseMark({ status }: { status: string }) {
  const d = useDeliveryTexts()
  const known = STATES.find((each) => each === status)
  return (
    <StateMark look={known === 'active' ? 'good' : 'muted'}>
      {known === undefined ? status || '–' : d(`license.${known}`)}
    </StateMark>
  )
}

/** The license keys that the partner issued for digital goods of the shop. */
export function LicenseList() {
  const t = useOfficeTexts()
  const d = useDeliveryTexts()
  const [{ status }, setAddress] = useOfficeSearch()
  const [isChecking, setChecking] = useState(false)
  const create = (
    <May route="licenses.create">
      <Button look="primary" onClick={() => void setAddress({ id: 'new' })}>
        <Plus aria-hidden size={20} />
        {d('license.new')}
      </Button>
    </May>
  )
  return (
    <>
      <ListPage
        title={d('licenses')}
        columns={columnsIn(d, t('state'))}
        idOf={idIn}
        source={{
          key: ['licenses', 'list', status],
          read: (cursor) => readRows(licensesList, cursor, { status }),
        }}
        search={{
          label: d('license.find'),
          matches: (row, text) =>
            `${textIn(row, 'product')} ${textIn(row, 'key')}`.toLowerCase().includes(text),
        }}
        filters={[
          {
            key: 'status',
            label: t('state'),
            options: STATES.map((value) => ({ value, text: d(`license.${value}`) })),
          },
        ]}
        actions={
          <>
            <May route="licenses.validate">
              <Button onClick={() => setChecking(true)}>
                <SearchCheck aria-hidden size={18} />
                {d('license.check')}
              </Button>
            </May>
            {create}
          </>
        }
        ErrorView={ModuleFailure}
        empty={{ icon: KeyRound, title: d('license.empty'), text: d('license.emptyText'), action: create }}
      />
      {isChecking && <LicenseCheck onClose={() => setChecking(false)} />}
    </>
  )
}

const columnsIn = (d: DeliveryTranslate, state: string): readonly Column<PartnerRecord>[] => [
  {
    key: 'product',
    title: d('license.product'),
    sortBy: (row) => textIn(row, 'product'),
    cell: (row) => (
      <span className="grid min-w-0">
        <span>{textIn(row, 'product') || '–'}</span>
        <code className="text-xs font-normal wrap-anywhere text-muted select-all">{textIn(row, 'key')}</code>
      </span>
    ),
  },
  {
    key: 'expires',
    title: d('license.until'),
    from: 'sm',
    cell: (row) => {
      const expiresAt = instantIn(row, 'expiresAt')
      return expiresAt === null ? d('license.forever') : formatMoment(expiresAt, zoneOf())
    },
  },
  { key: 'state', title: state, cell: (row) => <LicenseMark status={textIn(row, 'status')} /> },
]
