import type { Language } from 'kasir/partner-tools'

/** What the partner's pages look like. */
export const STYLE = `*{box-sizing:border-box}body{margin:0;background:#f3f4f6;color:#111827;font:17px/1.5 system-ui,sans-serif}
main{max-width:28rem;margin:0 auto;padding:1.25rem;background:#fff;min-height:100vh;overflow-wrap:anywhere}
h1{font-size:1rem;font-weight:500;margin:0;color:#4b5563}h2{font-size:1.0625rem;margin:1.5rem 0 .5rem}
.who{font-size:1.25rem;font-weight:700;margin:0}.state{margin:1rem 0;padding:.75rem 1rem;border-radius:.5rem;background:#e0e7ff;
color:#1e3a8a;font-size:1.25rem;font-weight:700}
.sum{font-size:clamp(1.25rem,8vw,2rem);white-space:nowrap;font-weight:700;margin:.75rem 0 0;font-variant-numeric:tabular-nums}.delivered,.paid{background:#166534;color:#fff}
.cancelled,.canceled,.expired,.rejected,.courier_not_found,.disposed{background:#991b1b;color:#fff}
dl{margin:1rem 0}dt{color:#4b5563}dd{margin:0 0 .5rem;font-weight:600}
ol{margin:0;padding:0 0 0 1.25rem;border-left:3px solid #c7d2fe;list-style:none}li{margin:0 0 .75rem}li time{display:block;color:#4b5563;font-size:.875rem}
button{display:block;width:100%;min-height:3rem;margin:.5rem 0;border:0;border-radius:.5rem;background:#fff;color:#1e3a8a;font:inherit;
font-weight:700;box-shadow:inset 0 0 0 2px #1e3a8a;cursor:pointer}button:focus-visible{outline:4px solid #f59e0b;outline-offset:2px}
.pay{background:#166534;color:#fff;box-shadow:none}.back{display:block;margin:.5rem 0;padding:.75rem 0;border-radius:.5rem;background:#1d4ed8;color:#fff;
font-weight:700;text-align:center;text-decoration:none}.back:focus-visible{outline:4px solid #f59e0b;outline-offset:2px}small{color:#4b5563}`

const MISSING = {
  id: ['Tidak ditemukan', 'Halaman ini tidak ada.'],
  en: ['Not found', 'There is no such page.'],
} as const

export const missingPage = (language: Language): string => {
  const [title, text] = MISSING[language]
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style></head><body><main><p class="who">${title}</p><p>${text}</p></main></body></html>
`
}
