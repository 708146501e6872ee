import { Link } from '@tanstack/react-router'
import { Compass } from 'lucide-react'
import { useTexts } from '../texts/texts.ts'
import { Empty } from '../ui/empty.tsx'

export function NotFoundPage() {
  const t = useTexts()
  return (
    <main className="h-dvh">
      <Empty as="h1" icon={Compass} title={t('notFound.title')} text={t('notFound.text')}>
        <Link
          to="/jual"
          className="mt-2 inline-flex min-h-12 items-center font-semibold text-brand underline"
        >
          {t('notFound.back')}
        </Link>
      </Empty>
    </main>
  )
}
