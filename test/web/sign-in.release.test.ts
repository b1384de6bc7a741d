import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { freePort } from '../support/databases/servers/start-server.ts'
import { chromiumProgram } from '../support/product/chromium.ts'
import { startOpenIdProvider } from '../support/product/openid-provider.ts'
import { servePage } from '../support/product/served-page.ts'

const CLIENT = 'plumbline-page'
const AUDIENCE = 'https://plumbline.example.com'
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

function signInButton(page: Page) {
  return page.getByRole('button', { name: /^Sign in with 127\.0\.0\.1/ })
}

describe.skipIf(chromiumProgram() === undefined)('sign-in', () => {
  it('at an OpenID provider: code and PKCE, and back to the address that was left', async () => {
    const port = await freePort()
    const provider = await startOpenIdProvider({ client: CLIENT, audience: AUDIENCE, redirect: `http://127.0.0.1:${port}/` })
    closing.push(provider.close)
    const served = await servePage(
      { enabled: true, oidc_issuer: provider.url, oidc_audience: AUDIENCE, oidc_client_id: CLIENT },
      port,
    )
    closing.push(served.close)
    const { page, settled } = await served.visit('/usage?range=last-3-months')
    await signInButton(page).click()
    await page.locator('input[name=login]').fill('ann')
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    await settled()
    expect(page.url()).toBe(`${served.url}/usage?range=last-3-months`)
    const storage = await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])')
    expect(storage).not.toMatch(/eyJ|pl_/)
    // The issuer recognises the browser until the user signs out.
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    expect(page.url()).toBe(`${served.url}/usage?range=last-3-months`)
    // An unreachable issuer is asked again.
    await page.route(`${provider.url}/.well-known/*`, (route) => route.abort(), { times: 1 })
    await page.reload()
    await page.getByRole('alert').getByText('Retrying automatically.').waitFor()
    expect(await signInButton(page).isEnabled()).toBe(true)
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.reload()
    await signInButton(page).waitFor()
    expect(page.url()).toBe(`${served.url}/usage?range=last-3-months`)

    // A redirect that does not belong to this sign-in is ignored.
    const iss = encodeURIComponent(provider.url)
    await page.goto(`${served.url}/?code=stolen&state=any&iss=${iss}`)
    await signInButton(page).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(page.url()).toBe(`${served.url}/`)
    const leave = async () => {
      const [left] = await Promise.all([
        page.waitForRequest((request) => request.url().startsWith(`${provider.url}/auth?`)),
        signInButton(page).click(),
      ])
      return new URL(left.url()).searchParams.get('state')
    }
    await page.route(`${provider.url}/auth?*`, (route) => route.fulfill({ status: 204 }))
    await leave()
    await page.goto(`${served.url}/?code=stolen&state=any&iss=${iss}`)
    await page.getByRole('alert').getByText('unexpected "state"').waitFor()
    const elsewhere = await leave()
    await page.goto(`${served.url}/?code=stolen&state=${elsewhere}&iss=https://evil.example`)
    await page.getByRole('alert').getByText('unexpected "iss"').waitFor()
    const refused = await leave()
    const markup = encodeURIComponent('<img src=x onerror=alert(1)>')
    await page.goto(`${served.url}/?error=access_denied&error_description=${markup}&state=${refused}&iss=${iss}`)
    await page.getByRole('alert').getByText('access_denied: <img src=x onerror=alert(1)>').waitFor()
    expect(page.url()).toBe(`${served.url}/`)
    await page.context().close()
  })
})
