import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyDevice, useDevice } from './app/device.ts'
import { queries } from './app/queries.ts'
import { router } from './app/router.tsx'
import { followTill } from './app/till.ts'
import { watchForUpdates } from './app/updates.ts'
import { loadTexts } from './texts/texts.ts'

applyDevice()
followTill()
watchForUpdates()

const root = document.getElementById('app')
if (root === null) throw new Error('index.html has an element for the app')
void loadTexts(useDevice.getState().language).then(() =>
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  ),
)
