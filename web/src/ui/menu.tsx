import { Menu as Base } from '@base-ui/react/menu'
import { MENU_TRIGGER, type MenuButtonProps } from './menu-props.ts'

/** The menu of a MenuButton, open from the start. */
export function Menu({ label, children, heading, entries, align = 'start' }: MenuButtonProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger aria-label={label} className={MENU_TRIGGER}>
        {children}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} className="z-50">
          <Base.Popup className="z-50 min-w-56 rounded-xl border bg-panel p-1.5 shadow-xl outline-none">
            {heading}
            {entries.map(({ key, text, isDisabled = false, onChoose }) => (
              <Base.Item
                key={key}
                disabled={isDisabled}
                onClick={onChoose}
                className="flex min-h-12 cursor-pointer items-center gap-3 rounded-lg px-3 outline-none data-disabled:text-muted data-highlighted:bg-brand-soft"
              >
                {text}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
