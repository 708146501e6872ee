import { LinkDetail } from './link-detail.tsx'
import { LinkForm } from './link-form.tsx'

export const LinkEditor = ({ id }: { id: string }) => (id === 'new' ? <LinkForm /> : <LinkDetail id={id} />)
