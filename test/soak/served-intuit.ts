import { freePort } from '../support/databases/servers/start-server.ts'
import { VERIFIER_TOKEN } from '../support/product/intuit/connected-platform.ts'
import { type Intuit, startIntuit } from '../support/product/intuit/server.ts'
import { type ProductProcess, seenInErrors, startProduct } from '../support/product/product-process.ts'

/** A double and how served processes are configured to reach it. */
export interface ServedIntuit {
  readonly intuit: Intuit
  /** Starts a process; on the same port where one was killed before. */
  serve(port: number): Promise<ProductProcess & { readonly url: string }>
  readonly ports: readonly [number, number]
  stop(): Promise<void>
}

/** A double that two served processes with this environment read; its consent leads back to the first. */
export async function serveIntuit(environment: Readonly<Record<string, string>>): Promise<ServedIntuit> {
  const ports = [await freePort(), await freePort()] as const
  const redirectUri = `http://127.0.0.1:${ports[0]}/api/connectors/quickbooks/oauth/callback`
  const intuit = await startIntuit({ app: { redirectUris: [redirectUri] } })
  const running = new Set<ProductProcess>()
  return {
    intuit,
    ports,
    async serve(port) {
      const started = await startProduct('serve', [], {
        ...environment,
        PLUMBLINE_SERVER_PORT: String(port),
        PLUMBLINE_CACHE_MODE: 'off',
        PLUMBLINE_QUICKBOOKS_CLIENT_ID: intuit.app.clientId,
        PLUMBLINE_QUICKBOOKS_CLIENT_SECRET: intuit.app.clientSecret,
        PLUMBLINE_QUICKBOOKS_REDIRECT_URI: redirectUri,
        PLUMBLINE_QUICKBOOKS_VERIFIER_TOKEN: VERIFIER_TOKEN,
        PLUMBLINE_QUICKBOOKS_API_URL: intuit.url,
        PLUMBLINE_QUICKBOOKS_DISCOVERY_URL: intuit.discoveryUrl,
        PLUMBLINE_QUICKBOOKS_SYNC_MINUTES: '0',
      })
      running.add(started)
      return { ...started, url: await seenInErrors(started, /running at (\S+);/) }
    },
    async stop() {
      for (const each of running) each.child.kill('SIGKILL')
      await Promise.all([...running].map(({ exit }) => exit))
      await intuit.stop()
    },
  }
}

/** Connects a company as a browser does. */
export async function consentOver(intuit: Intuit, url: string, realm: string): Promise<void> {
  const begun = await fetch(`${url}/api/connectors/quickbooks/oauth/start`, { headers: { accept: 'application/json' } })
  const { authorize_url } = (await begun.json()) as { readonly authorize_url: string }
  const away = new URL(authorize_url).searchParams
  const code = intuit.authority.consent(realm, away.get('redirect_uri') ?? '')
  const back = new URLSearchParams({ code, realmId: realm, state: away.get('state') ?? '' })
  const cookie = (begun.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const ended = await fetch(`${url}/api/connectors/quickbooks/oauth/callback?${back}`, {
    headers: { cookie },
    redirect: 'manual',
  })
  if (ended.status !== 302) throw new Error(`consent: ${ended.status} ${await ended.text()}`)
}
