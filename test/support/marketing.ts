import { beforeAll } from 'vitest'
import type { Api } from './api.ts'
import { enableModule } from './build.ts'
import { acme, globex, type HarnessOptions, useService, workspace } from './service.ts'

/** Serves a test file, with the marketing module switched on in both workspaces. */
export function useMarketing(options: HarnessOptions = {}) {
  useService(options)
  beforeAll(async () => {
    for (const api of [acme(), globex()]) await enableModule(api, 'marketing')
  })
}

/** Another workspace with the module switched on. */
export async function marketer(name: string): Promise<Api> {
  const api = await workspace(name)
  await enableModule(api, 'marketing')
  return api
}
