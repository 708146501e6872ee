#!/usr/bin/env node
// The installed command. The program itself is compiled; a fresh clone has to build it first.
import { existsSync } from 'node:fs'

const cli = new URL('../dist/cli.js', import.meta.url)
if (existsSync(cli)) {
  await import(cli.href)
} else {
  console.error(
    'Kasir is not built yet: run "npm start" once, or "npm start -- <command>" for any other command.',
  )
  process.exitCode = 1
}
