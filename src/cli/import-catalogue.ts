import { command, say, UsageError } from './command.ts'
import { requireReadable, withWriteErrors } from './files.ts'
import { inWorkspace, workspaceArgs } from './operator.ts'
import { percentOf } from './progress.ts'

export const importCatalogue = command({
  name: 'import-catalogue',
  description: 'Create and change products from a CSV file; importing a file again is safe',
  args: {
    file: {
      type: 'positional',
      required: true,
      description: 'CSV with a header row, as export-catalogue writes it',
    },
    'dry-run': { type: 'boolean', description: 'Try everything, keep nothing' },
    ...workspaceArgs,
  },
  environment: ['dataDir', 'databaseUrl', 'listenUrl', 'defaultTier'],
  examples: [
    ['kasir import-catalogue goods.csv --email you@example.com', 'refused rows: goods.csv.errors.csv'],
    ['kasir import-catalogue goods.csv --email you@example.com --dry-run', 'shows what would change'],
  ],
  run: async ({ file, 'dry-run': dryRun = false, ...options }) => {
    const { importCatalogueFile } = await import('../areas/catalogue/products/index.ts')
    const summary = await inWorkspace(options, async (deps, scope) => {
      const { actor } = scope
      if (actor.readOnly || actor.role === 'CASHIER') {
        throw new UsageError('An import needs a manager, an owner, or an API key that may write')
      }
      await requireReadable(file)
      const progress = percentOf(dryRun ? 'Trying' : 'Importing')
      try {
        const job = { deps, scope, file, dryRun, progress: progress.at }
        return await withWriteErrors(`${file}.errors.csv`, () => importCatalogueFile(job))
      } finally {
        progress.end()
      }
    })
    const { rows, created, updated, unchanged, refused, report } = summary
    say(`${rows} rows read${dryRun ? '; nothing was saved' : ''}.`)
    say(`Products: ${created} created, ${updated} changed, ${unchanged} unchanged, ${refused} refused.`)
    if (report === null) return
    say(`The rows that were refused, and why: ${report}`)
    process.exitCode = 1
  },
})
