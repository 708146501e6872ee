import { useMemo } from 'react'
import { encode } from 'uqr'
import { classes } from './classes.ts'

type QrImageProps = { content: string; label: string; className?: string }

/** A QR code: black on white in both themes, so that every camera reads it. */
export function QrImage({ content, label, className }: QrImageProps) {
  const { size, path } = useMemo(() => {
    const { size, data } = encode(content, { ecc: 'M', border: 3 })
    const squares = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    )
    return { size, path: squares.join('') }
  }, [content])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={classes('aspect-square rounded-xl bg-white text-black', className)}
    >
      <path d={path} fill="currentColor" />
    </svg>
  )
}
