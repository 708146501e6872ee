import { createReadStream, createWriteStream, type ReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { invalid } from '../../../../core/errors.ts'
import type { Deps } from '../../../../platform/deps.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { exportCatalogue } from './export.ts'
import { type ImportSummary, importCatalogue } from './import.ts'

export type FileJob = {
  deps: Deps
  scope: Scope
  file: string
  dryRun?: boolean
  /** An import reports the bytes read; an export reports the rows written. */
  progress?: (done: number, total: number) => void
}

/**
 * Imports a file and lists rejected rows in `<file>.errors.csv`. `report` is the path of that list, or null if no row
 * was rejected. Throws 422 with param `file` if the file is missing or is not a catalogue.
 */
export async function importCatalogueFile({
  deps,
  scope,
  file,
  dryRun = false,
  progress = () => {},
}: FileJob): Promise<ImportSummary & { report: string | null }> {
  const size = await stat(file).then(
    (found) => found.size,
    () => {
      throw invalid('file', `There is no file ${file}`)
    },
  )
  let source: ReadStream | undefined
  const open = () => {
    source = createReadStream(file)
    return source
  }
  const report = `${file}.errors.csv`
  const faults = createWriteStream(report)
  // A failure to write the report ends the import, not the process.
  const written = finished(faults)
  written.catch((error: Error) => source?.destroy(error))
  try {
    const onProgress = () => progress(source?.bytesRead ?? 0, size)
    const summary = await importCatalogue(deps, scope, open, { dryRun, reportStream: faults, onProgress })
    progress(size, size)
    faults.end()
    await written
    if (summary.refused > 0) return { ...summary, report }
    await rm(report, { force: true })
    return { ...summary, report: null }
  } finally {
    source?.destroy()
    faults.destroy()
  }
}

/** Exports the whole catalogue to a file and returns the number of rows. */
export const exportCatalogueFile = ({ deps, scope, file, progress = () => {} }: FileJob): Promise<number> =>
  exportCatalogue(deps, scope, createWriteStream(file), progress)
