import { relative } from 'node:path'
import { root } from './run.mjs'

/** The test files of a report that vitest wrote as JSON, each with its seconds, the slowest first. */
export const secondsOfFiles = ({ testResults }) =>
  testResults
    .map(({ name, startTime, endTime }) => ({
      name: relative(root, name).replaceAll('\\', '/'),
      seconds: (endTime - startTime) / 1000,
    }))
    .sort((a, b) => b.seconds - a.seconds)

export const lineOf = ({ name, seconds }) => `${seconds.toFixed(1).padStart(7)}  ${name}`
