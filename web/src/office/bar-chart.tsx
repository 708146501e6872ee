export type Bar = { key: string; label: string; value: number; text: string }

const HEIGHT = 160
const GAP = 0.25

/** The highest round figure of the axis: 1, 2 or 5 times a power of ten. */
function topOf(highest: number): number {
  if (highest <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(highest))
  return ([1, 2, 5, 10].find((step) => step * power >= highest) ?? 10) * power
}

/** Bars over time. The table below the chart says the same in words, so the drawing is hidden from assistive software. */
export function BarChart({ bars, format }: { bars: readonly Bar[]; format(value: number): string }) {
  const top = topOf(Math.max(...bars.map(({ value }) => value), 0))
  const width = 100 / Math.max(bars.length, 1)
  return (
    <div aria-hidden className="grid gap-1 px-4 pt-4">
      <div className="flex justify-between text-xs text-muted tabular-nums">
        <span>{format(top)}</span>
      </div>
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" className="h-40 w-full">
        {[0, 0.5, 1].map((line) => (
          <line
            key={line}
            x1={0}
            x2={100}
            y1={HEIGHT * line}
            y2={HEIGHT * line}
            className="stroke-line"
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {bars.map(({ key, value, text }, at) => {
          const height = Math.max((Math.max(value, 0) / top) * HEIGHT, value > 0 ? 2 : 0)
          return (
            <rect
              key={key}
              x={at * width + (width * GAP) / 2}
              y={HEIGHT - height}
              width={width * (1 - GAP)}
              height={height}
              className="fill-brand"
            >
              <title>{text}</title>
            </rect>
          )
        })}
      </svg>
      <div className="flex justify-between text-xs text-muted">
        <span>{bars[0]?.label}</span>
        {bars.length > 1 && <span>{bars.at(-1)?.label}</span>}
      </div>
    </div>
  )
}
