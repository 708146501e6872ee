import { useQueryClient } from '@tanstack/react-query'
import { type Settings, type SettingsUpdate, settingsGet, settingsUpdate } from 'kasir-client'
import { useState } from 'react'
import { call } from '../../app/service.ts'
import type { SaveOptions } from '../../office/form/use-form.ts'
import { useRecord } from '../../office/form/use-record.ts'
import { useShop } from '../../offline/shop.ts'

export const readSettings = async (): Promise<Settings> => (await call(settingsGet)).settings

/** The settings, read again after each save; `version` names the reading, so that the form begins anew. */
export function useSettings() {
  const queries = useQueryClient()
  const [version, setVersion] = useState(0)
  const record = useRecord(['settings', version], readSettings)
  const save = (changes: SettingsUpdate, options: SaveOptions) => call(settingsUpdate, changes, options)
  const finish = () => {
    void queries.invalidateQueries({ queryKey: ['home'] })
    void useShop.getState().refresh()
    setVersion((now) => now + 1)
  }
  return { record, save, finish, version }
}
