import type { ComponentProps } from 'react'
import { classes } from './classes.ts'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'
type Size = 'normal' | 'large' | 'icon'

const LOOKS: Readonly<Record<Look, string>> = {
  primary:
    'bg-brand text-on-brand font-semibold hover:opacity-95 active:opacity-85 disabled:opacity-100 disabled:bg-line disabled:text-muted',
  plain:
    'bg-raised text-text border border-control/60 font-medium hover:border-control active:bg-brand-soft disabled:text-muted',
  quiet: 'text-text font-medium hover:bg-line/60 active:bg-line disabled:text-muted',
  danger: 'bg-danger-soft text-danger border border-danger/40 font-semibold active:opacity-85',
}
const SIZES: Readonly<Record<Size, string>> = {
  normal: 'min-h-12 px-4',
  large: 'min-h-16 px-5 text-lg',
  icon: 'size-12 shrink-0',
}

const CONTENT = { center: 'justify-center', start: 'justify-start', spread: 'justify-between' } as const

export type ButtonProps = ComponentProps<'button'> & {
  look?: Look
  size?: Size
  content?: keyof typeof CONTENT
}

export function Button(props: ButtonProps) {
  const { look = 'plain', size = 'normal', content = 'center', className, type = 'button', ...rest } = props
  return (
    <button
      {...rest}
      type={type}
      className={classes(
        'inline-flex items-center gap-2 rounded-xl leading-tight transition-colors duration-100 select-none disabled:cursor-not-allowed',
        CONTENT[content],
        LOOKS[look],
        SIZES[size],
        className,
      )}
    />
  )
}
