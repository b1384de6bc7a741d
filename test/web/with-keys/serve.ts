import { freePort } from '../../support/databases/servers/start-server.ts'
import { type ServedPage, servePage } from '../../support/product/served-page.ts'
import { createToyPlatform } from '../../support/product/toy-platform/toy-platform.ts'
import { startToyServer } from '../../support/product/toy-platform/toy-server.ts'

/** A service that requires keys and has a test platform. */
export async function serveWithKeys(): Promise<ServedPage> {
  const port = await freePort()
  const toy = await startToyServer()
  const redirectUri = `http://127.0.0.1:${port}/api/connectors/toy/oauth/callback`
  const platform = createToyPlatform({ url: toy.url, secret: toy.secret, redirectUri, syncMinutes: 0 })
  const served = await servePage({ enabled: true }, port, { platforms: [platform] })
  const close = async () => {
    await served.close()
    await toy.close()
  }
  return { ...served, close }
}
