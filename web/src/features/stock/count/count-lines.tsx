import type { StockCountDetail } from 'kasir-client'
import { useState } from 'react'
import { amountOfGoods, changeOfGoods } from '../../../office/goods-amounts.ts'
import { Panel } from '../../../office/panel.tsx'
import { nameOf } from '../../../office/use-outlet-options.ts'
import { useOfficeTexts } from '../../../texts/office/texts.ts'
import { classes } from '../../../ui/classes.ts'

/** The counted units beside the level at that moment; an open blind count shows no levels. */
export function CountLines({ count: { lines } }: { count: StockCountDetail }) {
  const t = useOfficeTexts()
  const [onlyDifferent, setOnlyDifferent] = useState(false)
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
            {shown.map(({ variantId, productName, variantName, soldBy, quantity, expected, variance }) => (
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
    </Panel>
  )
}
