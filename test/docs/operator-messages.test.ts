import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const rootFile = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

/** All sources as one text, in which strings that were broken into lines are whole again. */
async function sourceText(): Promise<string> {
  const names = (await readdir(rootFile('src'), { recursive: true })).filter((name) => name.endsWith('.ts'))
  const texts = await Promise.all(names.map((name) => readFile(rootFile(`src/${name}`), 'utf8')))
  return texts.join('\n').replaceAll(/['"`]\s*\+\s*['"`]/g, '')
}

test('every message that the guide for operators explains is one that the service prints', async () => {
  const guide = await readFile(rootFile('docs/self-hosting.md'), 'utf8')
  const section = guide.split('## What a message means')[1]?.split('\n## ')[0] ?? ''
  const messages = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? '')
  const source = await sourceText()
  // An ellipsis stands for a name or a number.
  const unknown = messages.filter((message) =>
    message.split('…').some((part) => part.trim().length > 3 && !source.includes(part.trim())),
  )
  expect([messages.length > 20, unknown]).toEqual([true, []])
})
