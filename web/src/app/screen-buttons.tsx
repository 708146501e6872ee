import { Languages, Moon, Sun } from 'lucide-react'
import { loadTexts, useTexts } from '../texts/texts.ts'
import { Button } from '../ui/button.tsx'
import { themeOf, useDevice } from './device.ts'

export function LanguageButton() {
  const t = useTexts()
  const { language, setLanguage } = useDevice()
  const other = language === 'id' ? 'en' : 'id'
  return (
    <Button
      look="quiet"
      className="px-2 sm:px-3"
      onClick={() => void loadTexts(other).then(() => setLanguage(other))}
    >
      <Languages aria-hidden size={20} />
      <span className="sr-only">{t('language')}</span>
      <span className="hidden uppercase sm:inline">{language}</span>
    </Button>
  )
}

export function ThemeButton() {
  const t = useTexts()
  const { theme, setTheme } = useDevice()
  const isDark = themeOf(theme) === 'dark'
  return (
    <Button
      look="quiet"
      size="icon"
      aria-label={t(isDark ? 'theme.light' : 'theme.dark')}
      onClick={() => setTheme(isDark ? 'light' : 'dark')}
    >
      {isDark ? <Sun aria-hidden size={20} /> : <Moon aria-hidden size={20} />}
    </Button>
  )
}
