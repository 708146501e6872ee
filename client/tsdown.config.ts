import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: ['src/index.ts', 'src/webhooks.ts'],
  format: 'esm',
  platform: 'neutral',
  dts: true,
  // One file for each of ours: a bundler leaves out what is not used, and a stack names where it was.
  unbundle: true,
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
})
