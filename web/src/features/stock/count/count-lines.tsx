import type { StockCountDetail } from 'kasir-client'
import { useMemo, useState } from 'react'
import { amountOfGoods, changeOfGoods } from '../../../office/goods-amounts.ts'
import { Panel } from '../../../office/panel.tsx'
import { nameOf } from '../../../office/use-outlet-options.ts'
import { useOfficeTexts } from '../../../texts/office/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { classes } from '../../../ui/classes.ts'

/** A phone draws thousands of rows too slowly between two scans. */
const PORTION = 100

/**
 * The counted units beside the level at that moment; an open blind count shows no levels. The last count is first while
 * the count is open; afterwards the lines are sorted by name.
 */
export function CountLines({ count }: { count: StockCountDetail }) {
  const t = useOfficeTexts()
  const [onlyDifferent, setOnlyDifferent] = useState(false)
  const [most, setMost] = useState(PORTION)
  const lines = useMemo(() => {
    if (count.status !== 'OPEN') return count.lines
    return count.lines.toSorted((a, b) => b.countedAt.localeCompare(a.countedAt))
  }, [count])
  const different = lines.filter(({ variance }) => variance !== null && variance !== 0)
  const shown = onlyDifferent ? different : lines
  const isOpenly = lines.some(({ expected }) => expected !== null)
  const cell = 'px-3 py-2'
  return (
    <Panel
      title={t('count.counted', { n: lines.length })}
      actions={
        isOpenly && (
          <label className="flex min-h-11 items-center gap-2 text-sm">
            <input
              type="checkbox"
              className="size-5 accent-brand"
              checked={onlyDifferent}
              onChange={({ target }) => setOnlyDifferent(target.checked)}
            />
            {t('count.onlyDifferent', { n: different.length })}
          </label>
        )
      }
    >
      {shown.length === 0 ? (
        <p className="p-4 text-muted">{t(lines.length === 0 ? 'count.noLines' : 'count.noDifference')}</p>
      ) : (
        <table aria-label={t('count.lines')} className="w-full border-collapse text-sm">
          <thead className="border-b text-left text-muted">
            <tr>
              <th scope="col" className={classes(cell, 'font-medium')}>
                {t('product.name')}
              </th>
              <th scope="col" className={classes(cell, 'text-right font-medium')}>
                {t('count.quantity')}
              </th>
              {isOpenly && (
                <th scope="col" className={classes(cell, 'hidden text-right font-medium sm:table-cell')}>
                  {t('count.expected')}
                </th>
              )}
              {isOpenly && (
                <th scope="col" className={classes(cell, 'text-right font-medium')}>
                  {t('count.variance')}
                </th>
              )}
            </tr>
          </thead>
          <tbody className="divide-y">
            {shown
              .slice(0, most)
              .map(({ variantId, productName, variantName, soldBy, quantity, expected, variance }) => (
                <tr key={variantId}>
                  <td className={classes(cell, 'wrap-anywhere')}>{nameOf(productName, variantName)}</td>
                  <td className={classes(cell, 'amount font-semibold')}>{amountOfGoods(soldBy, quantity)}</td>
                  {isOpenly && (
                    <td className={classes(cell, 'amount hidden sm:table-cell')}>
                      {expected === null ? '–' : amountOfGoods(soldBy, expected)}
                    </td>
                  )}
                  {isOpenly && (
                    <td
                      className={classes(
                        cell,
                        'amount',
                        (variance ?? 0) < 0 && 'font-semibold text-danger',
                        (variance ?? 0) > 0 && 'font-semibold text-warn',
                      )}
                    >
                      {variance === null ? '–' : changeOfGoods(soldBy, variance)}
                    </td>
                  )}
                </tr>
              ))}
          </tbody>
        </table>
      )}
      {shown.length > most && (
        <Button className="mx-auto my-3" onClick={() => setMost(most + PORTION)}>
          {t('count.more')}
        </Button>
      )}
    </Panel>
  )
}
