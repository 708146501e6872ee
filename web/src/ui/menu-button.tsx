import { lazy, Suspense, useState } from 'react'
import { MENU_TRIGGER, type MenuButtonProps } from './menu-props.ts'

const load = () => import('./menu.tsx')
const Menu = lazy(() => load().then((file) => ({ default: file.Menu })))

/** A button that opens a menu. The menu itself is loaded with the first tap: the register opens without it. */
export function MenuButton(props: MenuButtonProps) {
  const [isWanted, setWanted] = useState(false)
  const button = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-label={props.label}
      className={MENU_TRIGGER}
      onPointerEnter={() => void load()}
      onClick={() => setWanted(true)}
    >
      {props.children}
    </button>
  )
  if (!isWanted) return button
  return (
    <Suspense fallback={button}>
      <Menu {...props} />
    </Suspense>
  )
}
