import { ArrowLeft } from 'lucide-react'
import { useOfficeTexts } from '../texts/office/texts.ts'
import { Button } from '../ui/button.tsx'
import { useOfficeSearch } from './search-state.ts'

/** Leads from a record back to its list. */
export function BackButton() {
  const t = useOfficeTexts()
  const [, setAddress] = useOfficeSearch()
  return (
    <Button
      look="quiet"
      size="icon"
      aria-label={t('form.back')}
      onClick={() => void setAddress({ id: null })}
    >
      <ArrowLeft aria-hidden size={22} />
    </Button>
  )
}
