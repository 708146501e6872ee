import { expect, test } from 'vitest'
import { hasNoWorkspace } from '../../src/cli/serve.ts'
import { deps, useService } from '../support/service.ts'

useService()

test('a service whose workspaces cannot be read yet still says that it is ready', async () => {
  expect(await hasNoWorkspace(deps().db)).toBe(false)
  await deps().pool.query('alter table accounts rename to accounts_away')
  try {
    expect(await hasNoWorkspace(deps().db)).toBe(false)
  } finally {
    await deps().pool.query('alter table accounts_away rename to accounts')
  }
})
