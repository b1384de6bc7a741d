import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { PlumblineError } from '../client/index.ts'
import { createPageRouter } from './app/router.tsx'
import { startTheme } from './app/theme.ts'
import { Gate } from './auth/sign-in.tsx'
import './styles/index.css'

const MOST_RETRIES = 2
const OVERLOADED = 503

/** Retry only failures that may be temporary. A rejected request would be rejected again. */
const retry = (count: number, error: Error) =>
  count < MOST_RETRIES && (!(error instanceof PlumblineError) || error.status === OVERLOADED)

const queries = new QueryClient({ defaultOptions: { queries: { retry, refetchOnWindowFocus: false } } })
const router = createPageRouter()
const place = document.getElementById('root')
if (place === null) throw new Error('The element #root is missing.')

startTheme()
createRoot(place).render(
  <StrictMode>
    {/* The Content-Security-Policy allows no inline styles. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <Gate>
          <RouterProvider router={router} />
        </Gate>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
