import { execFileSync } from 'node:child_process'
import path from 'node:path'

/**
 * The Node.js of this run and those that `TEST_NODES` names, paths to their programs as PATH has them, each with its version.
 * What is packed has to run on all of them; none is ever downloaded. A path that leads to no Node.js fails the run.
 */
export function nodes(): [version: string, program: string][] {
  const named = (process.env['TEST_NODES'] ?? '').split(path.delimiter).filter((one) => one !== '')
  return [process.execPath, ...named].map((program) => [versionOf(program), program])
}

const versionOf = (program: string) =>
  `Node ${execFileSync(program, ['--version'], { encoding: 'utf8' }).trim()}`
