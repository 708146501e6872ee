import { Printer } from 'lucide-react'

/** Opens a page of the partner in a new tab, where the browser prints it. The service lets it run no script. */
export const PageLink = ({ text, path, lang }: { text: string; path: string; lang: string }) => (
  <a
    href={`/api/v1/payments/${path}?${new URLSearchParams({ lang })}`}
    target="_blank"
    rel="noreferrer"
    className="inline-flex min-h-11 items-center gap-2 rounded-lg border border-control/60 bg-raised px-4 font-medium hover:border-control"
  >
    <Printer aria-hidden size={18} />
    {text}
  </a>
)
