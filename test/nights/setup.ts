import type { TestProject } from 'vitest/node'

/** scripts/nights.mjs has just built the service; every step brings a database of its own. */
export function setup(project: TestProject) {
  project.provide('isBuilt', true)
}
