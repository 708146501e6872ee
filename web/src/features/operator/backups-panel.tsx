import type { OperatorBackup } from 'kasir-client'
import { type FigureColumn, FigureTable } from '../../office/figure-table.tsx'
import { Panel } from '../../office/panel.tsx'
import { StateMark } from '../../office/state-mark.tsx'
import { useOperatorTexts } from '../../texts/operator/texts.ts'
import { formatMoment } from '../../ui/time.ts'
import { formatBytes } from './format.ts'

const STANDARD_OUTPUT = '-'

/** The files that kasir backup has recorded. The warning about their age is a finding. */
export function BackupsPanel({ backups }: { backups: readonly OperatorBackup[] }) {
  const t = useOperatorTexts()
  const columns: FigureColumn<OperatorBackup>[] = [
    { key: 'takenAt', title: t('backups.takenAt'), cell: ({ takenAt }) => formatMoment(takenAt) },
    {
      key: 'file',
      title: t('backups.file'),
      isText: true,
      from: 'sm',
      cell: ({ file }) => (
        <span className="break-all">{file === STANDARD_OUTPUT ? t('backups.stdout') : file}</span>
      ),
    },
    {
      key: 'size',
      title: t('backups.size'),
      from: 'sm',
      cell: ({ bytes }) => (bytes === null ? '–' : formatBytes(bytes)),
    },
    { key: 'state', title: t('backups.state'), isText: true, cell: (one) => <BackupState backup={one} /> },
  ]
  return (
    <Panel title={t('backups.title')}>
      <FigureTable
        label={t('backups.title')}
        rows={backups}
        columns={columns}
        idOf={({ takenAt, file }) => takenAt + file}
        totalLabel=""
        nothing={t('backups.none')}
      />
    </Panel>
  )
}

function BackupState({ backup: { isSound, verifiedAt } }: { backup: OperatorBackup }) {
  const t = useOperatorTexts()
  if (!isSound) return <StateMark look="danger">{t('backups.broken')}</StateMark>
  return <StateMark look="good">{t(verifiedAt === null ? 'backups.sound' : 'backups.verified')}</StateMark>
}
