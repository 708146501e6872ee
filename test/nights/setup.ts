import type { TestProject } from 'vitest/node'

/** The script that started the run has just built the service. Each file brings its own database. */
export function setup(project: TestProject) {
  project.provide('isBuilt', true)
}
