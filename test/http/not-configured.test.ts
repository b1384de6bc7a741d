import { beforeAll, expect, it } from 'vitest'
import { createApp } from '../../src/facades/http/app.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

oneEngineInRotation('a service whose tenant is not clear', (target) => {
  const logged: string[] = []
  let app: ReturnType<typeof createApp>
  beforeAll(async () => {
    const engine = await engineOver(await sharedReal(target), { tenant: [] })
    app = createApp({ engine, version: '0', corsOrigins: [], limits: { body_bytes: 1_000 }, log: (line) => logged.push(line) })
  })

  it('says which tenants there are instead of failing', async () => {
    const response = await app.request('/api/metrics/mrr')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).not.toBeNull()
    expect(await response.json()).toMatchObject({
      code: 'connector_unavailable',
      detail: expect.stringMatching(/connector\.tenant .*"alpha", "beta"/),
    })
    // The cause of a 503 is logged, and is no fault of the product.
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', code: 'connector_unavailable' }])
    expect(logged.join()).not.toContain('frames')
  })

  it('is not ready', async () => {
    const response = await app.request('/readyz')
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ status: 'unavailable', checks: { replica: { ok: false } } })
  })
})
