import { beforeAll, expect, it } from 'vitest'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { appOver } from '../support/product/app-over-engine.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { allOf, keptStore, nameOfSegment, segmentId } from '../support/product/store-with-segments.ts'

interface Found {
  readonly total: number
  readonly sum: number
  readonly detail: string
  readonly available: readonly string[]
  readonly issues: readonly { readonly where: string; readonly message: string }[]
}

const PAYING = segmentId(1)
const RATES = 'date,from,to,rate\n2000-01-01,EUR,USD,1.1\n2000-01-01,GBP,USD,1.3\n2000-01-01,JPY,USD,0.007\n'

oneEngineInRotation('rows behind a number over HTTP', (target) => {
  let get: (path: string) => Promise<{ status: number; body: Found; warnings: readonly { code: string; message: string }[] }>
  beforeAll(async () => {
    const segments = { [PAYING]: allOf({ field: 'plan_id', op: 'is_not_empty' }) }
    const engine = await engineOver(await sharedReal(target), { tenant: ['beta'], store: await keptStore({ segments }, RATES) })
    get = async (path) => {
      const response = await appOver(engine).request(`/api/metrics/mrr${path}`)
      const warnings = JSON.parse(response.headers.get('x-warning-details') ?? '[]')
      return { status: response.status, body: (await response.json()) as Found, warnings }
    }
    return () => engine.close()
  })

  it.each(['order=-count', 'rest=true', 'compare_to=year'])('take no %s, and say so', async (given) => {
    const { status, body } = await get(`/rows?limit=1&${given}`)
    expect(status).toBe(400)
    const [name] = given.split('=')
    const message = `"${name}" applies to answers. The rows of a number have their own order.`
    expect(body.issues).toMatchObject([{ where: `query.${name}`, message }])
  })

  it('take a compared segment by its name, as the comparison does', async () => {
    const name = encodeURIComponent(nameOfSegment(PAYING))
    const byId = await get(`/rows?compare_segments=${PAYING}&group=segment_id=${PAYING}`)
    expect(byId.body.total).toBeGreaterThan(0)
    const byName = await get(`/rows?compare_segments=${name}&group=segment_id=${name}`)
    expect([byName.status, byName.body]).toEqual([200, byId.body])
    const unknown = await get(`/rows?compare_segments=${name}&group=segment_id=nothing`)
    expect(unknown).toMatchObject({ status: 400, body: { available: [PAYING] } })
  })

  it.each([
    ['group=x=1', 'unknown_dimension', 'query.group', '"x"'],
    ['group=attr.nothing=1', 'unknown_attribute', 'query.group', 'nothing'],
    ['dimensions=x&group=plan_id=basic', 'unknown_dimension', 'query.dimensions', '"x"'],
    ['dimensions=x&group=x=1', 'unknown_dimension', 'query.dimensions', '"x"'],
  ])('%s is refused under its own name', async (query, code, where, says) => {
    const { status, body } = await get(`/rows?${query}`)
    const { code: found, issues = [] } = body as {
      readonly code?: string
      readonly issues?: readonly { readonly where: string; readonly message: string }[]
    }
    expect([status, found, issues[0]?.where]).toEqual([400, code, where])
    expect(issues[0]?.message).toContain(says)
  })

  it('of a group that the answer does not have warn, and name those that it has', async () => {
    const unknown = await get('/rows?group=plan_id=nonsense')
    expect(unknown).toMatchObject({ status: 200, body: { total: 0, sum: 0 }, warnings: [{ code: 'unknown_group' }] })
    const plans = (await get('?dimensions=plan_id')).body as unknown as readonly { readonly plan_id: string }[]
    const [message] = unknown.warnings.map((warning) => warning.message)
    expect(message).toContain('no group plan_id=nonsense')
    for (const { plan_id } of plans.slice(0, 5)) expect(message).toContain(plan_id)
    const known = await get(`/rows?group=plan_id=${plans[0]?.plan_id}`)
    expect(known.warnings).toEqual([])
    expect(known.body.total).toBeGreaterThan(0)
    // A page after the last row is no unknown group.
    expect((await get(`/rows?group=plan_id=${plans[0]?.plan_id}&offset=5000`)).warnings).toEqual([])
  })

  it('of a tenant that does not exist are refused, as the filter is', async () => {
    const [filtered, grouped] = [await get('?filter=tenant=nothing'), await get('/rows?group=tenant=nothing')]
    expect(filtered.status).toBe(400)
    expect(grouped).toMatchObject({ status: 400, body: { available: filtered.body.available } })
    expect((await get(`/rows?group=tenant=${filtered.body.available[0]}`)).body.total).toBeGreaterThan(0)
  })
})
