import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressed } from './build/compressed.ts'
import { serviceWorker } from './build/service-worker.ts'

const from = (path: string) => fileURLToPath(new URL(path, import.meta.url))
/** The service that `npm run dev` starts beside Vite. */
const SERVICE = 'http://127.0.0.1:3000'

export default defineConfig({
  root: from('.'),
  plugins: [react(), tailwindcss(), serviceWorker(), compressed()],
  resolve: { alias: { 'kasir-client': from('../client/src/index.ts') } },
  build: {
    outDir: from('../dist/web'),
    emptyOutDir: true,
    // The oldest browsers that docs/register.md names.
    target: ['chrome111', 'firefox128', 'safari16.4'],
    // The page allows no inline script and no data: font.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { app: from('index.html'), worker: from('src/worker.ts') },
      output: {
        entryFileNames: ({ name }) => (name === 'worker' ? 'worker.js' : 'assets/[name]-[hash].js'),
        // Every page needs these libraries: one file is smaller than the many that their parts would make.
        codeSplitting: {
          groups: [
            {
              name: 'libraries',
              test: /node_modules\/(?:react|react-dom|scheduler|@tanstack|zustand|use-sync-external-store|idb)\//,
            },
            // The first load needs these. Without a group each lazy part that uses some of them cuts them into more files.
            {
              name: 'base',
              test: /\/web\/src\/(?:app\/(?:device|line|service|session|queries|till)|offline\/(?:clock|outbox-row|outbox|shop|channel|database|key|sender|turn|customers)|selling\/(?:cart|cart-totals|cart-promotions|bill-promotions|charge-rows|quantity|tender|cart-store|register-store|sale-body|checkout)|core|ui\/(?:print|lazy-part))\.tsx?$|\/src\/core\/(?:assert|money|sale-totals|weights|prices|promotions|tax|service-charge|cash-rounding|conditions|errors|labels|packs|printing)\.ts$/,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(['/api', '/docs', '/uploads'].map((path) => [path, SERVICE])),
  },
})
