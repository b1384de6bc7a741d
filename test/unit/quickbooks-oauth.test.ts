import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlatform } from '../../connectors/quickbooks/platform.ts'
import { SETTINGS } from '../../connectors/quickbooks/settings.ts'
import { isReconnectNeeded } from '../../src/ports/accounting.ts'
import {
  connected,
  consentTo,
  heldSource,
  PATIENT,
  platformFor,
  QUICK,
  settingsFor,
} from '../support/product/intuit/connected-platform.ts'
import { CALLBACK, type Intuit, startIntuit } from '../support/product/intuit/server.ts'

const VENDORS = { entity: 'Vendor', entity_id: '7', operation: 'update' }

let intuit: Intuit
beforeAll(async () => {
  intuit = await startIntuit({ realms: ['4620', '4621'] })
  for (const realm of ['4620', '4621'])
    intuit.company(realm).put('Vendor', { Id: '7', DisplayName: `Vendor of ${realm}`, Active: true })
})
afterAll(() => intuit.stop())

describe('consent', () => {
  it('leads through Intuit’s page and back to a source of that company', async () => {
    const platform = platformFor(intuit)
    const authorize = new URL((await platform.consent?.authorizeUrl('state-1')) ?? '')
    expect(Object.fromEntries(authorize.searchParams)).toEqual({
      client_id: 'double-client',
      response_type: 'code',
      scope: 'com.intuit.quickbooks.accounting',
      redirect_uri: CALLBACK,
      state: 'state-1',
    })
    const page = await (await fetch(authorize)).text()
    expect(page).toContain('name="decision" value="connect"')
    const form = new URLSearchParams({ ...Object.fromEntries(authorize.searchParams), realm: '4621', decision: 'connect' })
    const back = await fetch(new URL('/connect/oauth2', intuit.url), { method: 'POST', body: form, redirect: 'manual' })
    const returned = new URL(back.headers.get('location') ?? '')
    expect(returned.href.startsWith(`${CALLBACK}?`)).toBe(true)
    expect(returned.searchParams.get('state')).toBe('state-1')
    const completed = await platform.consent?.complete(returned.searchParams)
    expect(completed).toMatchObject({
      source_id: 'quickbooks-4621',
      name: 'QuickBooks (4621)',
      config: { realm_id: '4621', environment: 'production' },
    })
    const connector = platform.connect(heldSource(completed?.secrets ?? {}, '4621'))
    expect(await connector.fetchAndTranslate(VENDORS, PATIENT)).toMatchObject([{ name: 'Vendor of 4621' }])
    await expect(platform.consent?.complete(returned.searchParams)).rejects.toMatchObject({ code: 'invalid_value' })
  })

  it('for another company than the address says is refused, also where that one is connected already', async () => {
    const platform = platformFor(intuit)
    await consentTo(platform, intuit, '4621')
    const code = intuit.authority.consent('4620', CALLBACK)
    const completing = platform.consent?.complete(new URLSearchParams({ code, realmId: '4621', state: 's' }))
    await expect(completing).rejects.toMatchObject({
      code: 'invalid_value',
      message: 'Intuit gave no access to the company that realmId names: connect again.',
    })
  })

  it.each([
    [{ error: 'access_denied', state: 's' }, 'Intuit did not grant the connection (access_denied).'],
    [{ realmId: '1' }, "Intuit's answer lacks code."],
    [{ code: 'x', realmId: '../1' }, 'realmId must be the number of a company.'],
    [{ code: 'never-given', realmId: '1' }, 'Intuit does not accept this code: it is used up or too old. Connect again.'],
  ])('%o is refused', async (parameters, detail) => {
    const completing = platformFor(intuit).consent?.complete(new URLSearchParams(parameters))
    await expect(completing).rejects.toMatchObject({ code: 'invalid_value', message: detail })
  })

  it('a wrong client secret and a silent authorisation server are told apart, and say no secret', async () => {
    const wrong = createPlatform(settingsFor(intuit, { client_secret: 'wrong-secret' }), QUICK)
    const failure = await consentTo(wrong, intuit, '4620').catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'connector_unavailable' })
    expect(String(failure)).toContain('check quickbooks.client_id')
    expect(String(failure)).not.toContain('wrong-secret')
    const nowhere = createPlatform(settingsFor(intuit, { discovery_url: `${intuit.url}/nowhere` }), QUICK)
    await expect(nowhere.consent?.authorizeUrl('s')).rejects.toMatchObject({ code: 'connector_unavailable' })
  })
})

describe('tokens', () => {
  it('one that is refused is renewed once for all calls meanwhile, and the newest is kept', async () => {
    const { connector, source } = await connected(intuit)
    const before = source.present()
    intuit.authority.expireAccess()
    const refreshes = intuit.authority.counts.refreshes
    const answers = await Promise.all(Array.from({ length: 20 }, () => connector.fetchAndTranslate(VENDORS, PATIENT)))
    expect(answers.flat()).toHaveLength(20)
    expect(intuit.authority.counts.refreshes - refreshes).toBe(1)
    expect(source.present()['refresh_token']).not.toBe(before['refresh_token'])
  })

  it('one that is about to end is renewed before it is used', async () => {
    const brief = await startIntuit({ lives: { access: 30 } })
    try {
      brief.company('4620').put('Vendor', { Id: '7', DisplayName: 'V' })
      const { connector } = await connected(brief)
      await connector.fetchAndTranslate(VENDORS, PATIENT)
      expect(brief.authority.counts).toMatchObject({ refreshes: 1 + 1, refused: 0 })
    } finally {
      await brief.stop()
    }
  })

  it('one that another connection has renewed is taken over, not renewed again', async () => {
    const { connector, source, platform } = await connected(intuit)
    const other = platform.connect(source)
    await connector.fetchAndTranslate(VENDORS, PATIENT)
    await other.fetchAndTranslate(VENDORS, PATIENT)
    intuit.authority.expireAccess()
    await connector.fetchAndTranslate(VENDORS, PATIENT)
    const { refreshes, refused } = intuit.authority.counts
    await other.fetchAndTranslate(VENDORS, PATIENT)
    expect(intuit.authority.counts).toEqual({ refreshes, refused })
  })

  it('a refresh token that Intuit no longer takes asks for a new consent', async () => {
    const { connector } = await connected(intuit)
    intuit.authority.expireAccess()
    intuit.authority.expireRefresh()
    const error = await connector.fetchAndTranslate(VENDORS, PATIENT).catch((failure: unknown) => failure)
    expect(isReconnectNeeded(error)).toBe(true)
    expect(String(error)).toContain('connect the company again')
  })

  it('a failing authorisation server is asked again, and is no reason for a new consent', async () => {
    const { connector } = await connected(intuit)
    intuit.authority.expireAccess()
    intuit.troubles.add({ kind: 'drop' }, { matching: /tokens\/bearer/, times: 3 })
    const error = await connector.fetchAndTranslate(VENDORS, PATIENT).catch((failure: unknown) => failure)
    expect(error).toMatchObject({ code: 'connector_unavailable' })
    expect(isReconnectNeeded(error)).toBe(false)
  })

  it('revoking ends the connection on Intuit’s side, and a second time is no error', async () => {
    const { connector } = await connected(intuit)
    await connector.revoke()
    await connector.revoke()
    const error = await connector.fetchAndTranslate(VENDORS, PATIENT).catch((failure: unknown) => failure)
    expect(isReconnectNeeded(error)).toBe(true)
  })

  it('a source without tokens asks for a consent', async () => {
    const connector = platformFor(intuit).connect(heldSource({}, '4620'))
    const error = await connector.fetchAndTranslate(VENDORS, PATIENT).catch((failure: unknown) => failure)
    expect(isReconnectNeeded(error)).toBe(true)
  })
})

describe('settings', () => {
  it('without credentials the platform says what is missing, and its webhooks are refused', async () => {
    const platform = createPlatform(SETTINGS.parse({ client_id: 'x' }))
    expect(platform).toMatchObject({
      isConfigured: false,
      missing: ['quickbooks.client_secret', 'quickbooks.redirect_uri'],
      webhooks: { hasSecret: false, allowsUnsigned: false },
      syncMinutes: 60,
    })
    expect(platform.consent).toBeUndefined()
  })

  it.each([
    ['api_url', 'http://api.example.com'],
    ['discovery_url', 'file:///etc/passwd'],
    ['redirect_uri', 'https://plumbline.example.com/elsewhere'],
    ['environment', 'staging'],
    ['sync_minutes', -1],
  ])('%s = %s is refused', (key, value) => {
    const parsed = SETTINGS.safeParse({ [key]: value })
    expect(parsed.error?.issues.map(({ path }) => path[0])).toEqual([key])
  })

  it('a source that a program adds may name its company', () => {
    const platform = platformFor(intuit)
    expect(platform.register({ realm_id: '4620', environment: 'production' })).toEqual({
      source_id: 'quickbooks-4620',
      name: 'QuickBooks (4620)',
      config: { realm_id: '4620', environment: 'production' },
      secrets: null,
    })
    const unnamed = {
      source_id: null,
      name: 'quickbooks',
      config: { environment: 'production' },
      secrets: null,
    }
    expect(platform.register({})).toEqual(unnamed)
    expect(() => platform.register({ realm_id: 'x', environment: 'sandbox', more: 1 })).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        issues: [
          expect.objectContaining({ where: 'body.config.realm_id' }),
          expect.objectContaining({ where: 'body.config.environment' }),
          expect.objectContaining({ where: 'body.config' }),
        ],
      }),
    )
  })
})
