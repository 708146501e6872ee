import { useState } from 'react'
import { lazyPart } from './lazy-part.tsx'
import { MENU_TRIGGER, type MenuButtonProps } from './menu-props.ts'

const load = () => import('./menu.tsx')
const Menu = lazyPart<MenuButtonProps>(() => load().then((file) => file.Menu), Trigger)

/** A button that opens a menu. The menu itself is loaded with the first tap: the register opens without it. */
export function MenuButton(props: MenuButtonProps) {
  const [isWanted, setWanted] = useState(false)
  return isWanted ? <Menu {...props} /> : <Trigger {...props} onOpen={() => setWanted(true)} />
}

function Trigger({ label, children, onOpen }: MenuButtonProps & { onOpen?(): void }) {
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-label={label}
      className={MENU_TRIGGER}
      onPointerEnter={() => void load().catch(() => {})}
      onClick={onOpen}
    >
      {children}
    </button>
  )
}
