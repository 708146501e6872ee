import { useOfficeSearch } from '../../office/search-state.ts'
import { PromotionEditor } from './promotion-form.tsx'
import { PromotionList } from './promotion-list.tsx'

/** The promotions of a workspace, and the editor of the one that the address names. */
export function PromotionsPage() {
  const [{ id }] = useOfficeSearch()
  return id === undefined ? <PromotionList /> : <PromotionEditor key={id} id={id} />
}
