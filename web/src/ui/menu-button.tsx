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

type TriggerProps = Pick<MenuButtonProps, 'label' | 'children'> & {
  /** Fetches the menu as soon as the pointer is near. */
  load?(): Promise<unknown>
  onOpen?(): void
}

/** The button of a menu that is not loaded yet. */
export function Trigger({ label, children, load: loadMenu = load, onOpen }: TriggerProps) {
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-label={label}
      className={MENU_TRIGGER}
      onPointerEnter={() => void loadMenu().catch(() => {})}
      onClick={onOpen}
    >
      {children}
    </button>
  )
}
