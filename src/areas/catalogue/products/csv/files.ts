import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { invalid } from '../../../../core/errors.ts'
import type { Deps } from '../../../../platform/deps.ts'
import type { Scope } from '../../../../platform/scope.ts'
import { exportCatalogue } from './export.ts'
import { importCatalogue, type Summary } from './import.ts'

export type FileJob = {
  deps: Deps
  scope: Scope
  file: string
  dryRun?: boolean
  /** An import reports bytes read of the file, an export rows written of the catalogue. */
  progress?: (done: number, total: number) => void
}

/**
 * Imports a file; rows that are refused are listed in `<file>.errors.csv` (`report`, null when all were). 422 param
 * `file` when there is no such file or it is not a catalogue.
 */
export async function importCatalogueFile({
  deps,
  scope,
  file,
  dryRun = false,
  progress = () => {},
}: FileJob): Promise<Summary & { report: string | null }> {
  const size = await stat(file).then(
    (found) => found.size,
    () => {
      throw invalid('file', `There is no file ${file}`)
    },
  )
  const source = createReadStream(file)
  const report = `${file}.errors.csv`
  const faults = createWriteStream(report)
  // A report that cannot be written must end the import, not the process.
  const written = finished(faults)
  written.catch((error: Error) => source.destroy(error))
  try {
    const onProgress = () => progress(source.bytesRead, size)
    const summary = await importCatalogue(deps, scope, source, { dryRun, reportStream: faults, onProgress })
    progress(size, size)
    faults.end()
    await written
    if (summary.refused > 0) return { ...summary, report }
    await rm(report, { force: true })
    return { ...summary, report: null }
  } finally {
    source.destroy()
    faults.destroy()
  }
}

/** Exports the whole catalogue to a file; answers the number of rows. */
export const exportCatalogueFile = ({ deps, scope, file, progress = () => {} }: FileJob): Promise<number> =>
  exportCatalogue(deps, scope, createWriteStream(file), progress)
