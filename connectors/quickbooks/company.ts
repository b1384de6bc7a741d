import * as z from 'zod'
import { AppError } from '../../src/connector-kit/index.ts'
import { recordsIn } from './answers.ts'
import type { Client } from './api/client.ts'
import type { Company } from './translate/document.ts'

const PREFERENCES = z.object({ CurrencyPrefs: z.object({ HomeCurrency: z.object({ value: z.string().regex(/^[A-Z]{3}$/) }) }) })

/** Facts about a company, read once: its home currency never changes. */
export type ReadCompany = (client: Client, signal: AbortSignal) => Promise<Company>

export function companyReader(): ReadCompany {
  let known: Company | undefined
  return async (client, signal) => {
    known ??= await readCompany(client, signal)
    return known
  }
}

async function readCompany(client: Client, signal: AbortSignal): Promise<Company> {
  const answer = await client.get('query', { query: 'select * from Preferences' }, signal)
  const preferences = PREFERENCES.safeParse(recordsIn(answer, 'Preferences')[0])
  if (preferences.success) return { homeCurrency: preferences.data.CurrencyPrefs.HomeCurrency.value }
  throw new AppError('connector_unavailable', 'QuickBooks does not say which home currency the company has.')
}
