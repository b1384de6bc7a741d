import { INTUIT_PACING, type Pacing } from '../../../../connectors/quickbooks/pacing.ts'
import { createPlatform } from '../../../../connectors/quickbooks/platform.ts'
import { SETTINGS } from '../../../../connectors/quickbooks/settings.ts'
import type {
  AccountingPlatform,
  BackfillPage,
  ExpenseConnector,
  Secrets,
  SourceAccess,
} from '../../../../src/ports/accounting.ts'
import { CALLBACK, type Intuit } from './server.ts'

export const VERIFIER_TOKEN = 'double-verifier'

/** As patient as the product, but in hundredths of the time. */
export const QUICK: Pacing = { ...INTUIT_PACING, requestMs: 1000, firstWaitMs: 5, throttledMs: 50, longestThrottleMs: 200 }

/** Settings that lead to a double. */
export function settingsFor(intuit: Intuit, more: Readonly<Record<string, unknown>> = {}) {
  return SETTINGS.parse({
    client_id: intuit.app.clientId,
    client_secret: intuit.app.clientSecret,
    redirect_uri: CALLBACK,
    verifier_token: VERIFIER_TOKEN,
    api_url: intuit.url,
    discovery_url: intuit.discoveryUrl,
    ...more,
  })
}

/** The platform before a double. */
export function platformFor(intuit: Intuit, pacing: Partial<Pacing> = {}): AccountingPlatform {
  return createPlatform(settingsFor(intuit), { ...QUICK, ...pacing })
}

/** A source whose secrets are in this process, renewed one at a time. */
export function heldSource(secrets: Secrets, realm: string): SourceAccess & { present(): Secrets } {
  let present = secrets
  let turn: Promise<unknown> = Promise.resolve()
  return {
    config: { realm_id: realm },
    present: () => present,
    secrets: async () => present,
    renew(work) {
      const mine = turn.then(async () => {
        present = await work(present)
        return present
      })
      turn = mine.catch(() => undefined)
      return mine
    },
  }
}

/** A connection to a company that has consented, without the browser. */
export async function connected(
  intuit: Intuit,
  { realm = '4620', pacing = {} }: { readonly realm?: string; readonly pacing?: Partial<Pacing> } = {},
): Promise<{ connector: ExpenseConnector; source: ReturnType<typeof heldSource>; platform: AccountingPlatform }> {
  const platform = platformFor(intuit, pacing)
  const secrets = await consentTo(platform, intuit, realm)
  const source = heldSource(secrets, realm)
  return { connector: platform.connect(source), source, platform }
}

/** The steps of a browser between leaving for Intuit and coming back. */
export async function consentTo(platform: AccountingPlatform, intuit: Intuit, realm: string): Promise<Secrets> {
  const code = intuit.authority.consent(realm, CALLBACK)
  const completed = await platform.consent?.complete(new URLSearchParams({ code, realmId: realm, state: 'seen' }))
  if (completed === undefined) throw new Error('the platform knows no consent')
  return completed.secrets
}

export const PATIENT = new AbortController().signal

/** All records of a backfill, and its pages. */
export async function backfilled(
  connector: ExpenseConnector,
  options: { readonly since?: string; readonly progress?: BackfillPage['progress'] } = {},
): Promise<{ records: BackfillPage['records'][number][]; pages: BackfillPage[] }> {
  const pages: BackfillPage[] = []
  for await (const page of connector.backfill({ progress: null, signal: PATIENT, ...options })) pages.push(page)
  return { pages, records: pages.flatMap(({ records }) => records) }
}
