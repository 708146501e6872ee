import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('an image is not built from two archives of Kasir: the build says what to do', () => {
  const text = readFileSync(fileURLToPath(new URL('../../Dockerfile', import.meta.url)), 'utf8')
  const [before = ''] = text.split('npm install')
  const steps = [...before.matchAll(/^RUN ([^-].*)$/gm)].map(([, line = '']) => line)
  const folder = mkdtempSync(path.join(tmpdir(), 'kasir-image-'))
  const build = () => execFileSync('sh', ['-ec', steps.join('\n')], { cwd: folder, encoding: 'utf8' })
  try {
    writeFileSync(path.join(folder, 'kasir-0.1.0.tgz'), '')
    expect(build).not.toThrow()
    writeFileSync(path.join(folder, 'kasir-0.2.0.tgz'), '')
    expect(build).toThrow('Leave one kasir-*.tgz here and remove the others.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
