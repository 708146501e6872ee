import { command, say } from './command.ts'
import { requireWritable, withWriteErrors } from './files.ts'
import { inWorkspace, workspaceArgs } from './operator.ts'
import { percentOf } from './progress.ts'

export const exportCatalogue = command({
  name: 'export-catalogue',
  description: 'Write the whole catalogue of a workspace to a CSV file',
  args: {
    file: {
      type: 'positional',
      required: true,
      description: 'Where to write it; an existing file is replaced',
    },
    ...workspaceArgs,
  },
  environment: ['dataDir', 'databaseUrl', 'listenUrl'],
  examples: [['kasir export-catalogue goods.csv --email you@example.com', 'a row for each variant']],
  run: async ({ file, ...options }) => {
    const { exportCatalogueFile } = await import('../areas/catalogue/products/index.ts')
    const rows = await inWorkspace(options, async (deps, scope) => {
      await requireWritable(file)
      const progress = percentOf('Exporting')
      try {
        const job = { deps, scope, file, progress: progress.at }
        return await withWriteErrors(file, () => exportCatalogueFile(job))
      } finally {
        progress.end()
      }
    })
    say(`${rows} rows written to ${file}.`)
  },
})
