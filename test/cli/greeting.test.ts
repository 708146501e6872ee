import { expect, test } from 'vitest'
import { runDemo } from '../../src/cli/run-demo.ts'
import { greeting, hasNoWorkspace } from '../../src/cli/serve.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { emptyDatabase } from '../support/db.ts'
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

test('the first advice of a new service works with its SIGNUP, and offers the demo only where it takes nothing away', () => {
  const adviceFor = (SIGNUP: string) => {
    const started = { address: 'http://127.0.0.1:3000', metricsAddress: null }
    const text = greeting(readConfig({ SIGNUP }), started, true).join('\n')
    return { demo: text.includes('kasir demo'), signup: text.includes('/auth/signup'), text }
  }
  expect(adviceFor('open')).toMatchObject({ demo: true, signup: true })
  expect(adviceFor('first')).toMatchObject({ demo: false, signup: true })
  expect(adviceFor('closed')).toMatchObject({
    demo: false,
    signup: false,
    text: expect.stringContaining('SIGNUP=first'),
  })
})

test('the demo does not take the one workspace that SIGNUP=first allows', async () => {
  const database = await emptyDatabase()
  try {
    const config = readConfig({ DATABASE_URL: database.url, SIGNUP: 'first', ALLOW_UNSAFE_DATABASE: '1' })
    const options = { email: 'demo@kasir.example', days: 0, share: 0.2, newKey: false, takeSignup: false }
    const settings = { ...config, dataDir: deps().config.dataDir }
    await expect(runDemo(settings, options)).rejects.toThrow('--take-signup')
  } finally {
    await database.drop()
  }
})
