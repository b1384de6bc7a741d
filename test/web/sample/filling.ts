import { expect, it } from 'vitest'
import type { ServedPage } from '../../support/product/served-page.ts'

const CACHE = { accounts: 120_400, snapshot_at: null, answered: 0, declined: {}, refills: {} }
const PROGRESS = { rows: 5_100_000, accounts_total: 280_000, share: 0.43, seconds_left: 20 }

/** A page says how far the first filling of the cache is, and no longer once it is filled. */
export function fillingOfCache(served: ServedPage): void {
  it.each(['light', 'dark'] as const)('says how far the filling of the cache is, in %s', async (theme) => {
    let cache: object = { ...CACHE, status: 'filling', progress: PROGRESS }
    const replica = { ok: true, role: 'replica', lag_seconds: 0, version: '15', schema: 'killbill' }
    const { page, settled, problems, overflow, accessibility } = await served.visit('/', { theme })
    await page.route('**/readyz', (route) =>
      route.fulfill({ json: { status: 'ok', checks: { replica, store: { ok: true }, cache } } }),
    )
    await page.reload()
    await settled()
    const notice = page.locator('.filling')
    expect(await notice.innerText()).toBe(
      'Preparing fast answers: 43 %, 120,400 of 280,000 customers, about 20 s left. Until then, answers can take longer.',
    )
    expect(await notice.locator('progress').getAttribute('value')).toBe('0.43')
    expect(await accessibility()).toEqual([])
    await page.setViewportSize({ width: 380, height: 900 })
    expect(await overflow()).toBe(0)
    cache = { ...CACHE, status: 'filling', progress: { ...PROGRESS, accounts_total: null, share: null, seconds_left: null } }
    await expect.poll(() => notice.innerText(), { timeout: 20_000 }).toContain('Preparing fast answers: 120,400 customers.')
    cache = { ...CACHE, status: 'ready', snapshot_at: '2026-11-20T23:59:59.000Z' }
    await notice.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
    await page.context().close()
  })
}
