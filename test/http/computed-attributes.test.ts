import { afterAll, beforeAll, expect, it } from 'vitest'
import { isInTurn, oneEngineInRotation, sampleOf } from '../support/databases/rotation.ts'
import { END_OF_RECORDING } from '../support/product/recorded-engine.ts'
import { type RealService, realService } from '../support/product/recorded-service.ts'
import { allOf } from '../support/product/store-with-segments.ts'

type Row = Readonly<Record<string, string | number | null>>

const RANGE = 'start=2026-05-01&end=2026-11-20'

/** Figures that add up over customers, of several metrics. */
const FIGURES: readonly (readonly [path: string, field: string])[] = [
  ['mrr?dimensions=plan_id', 'mrr'],
  [`mrr/breakdown?${RANGE}`, 'amount_base'],
  [`churn?${RANGE}&dimensions=source`, 'active_at_start'],
  [`trials/funnel?${RANGE}&dimensions=source`, 'started'],
  [`usage_revenue/series?${RANGE}`, 'revenue'],
  [`ltv/cohort?${RANGE}`, 'total_revenue'],
]

const LIVE = ['trialing', 'active', 'paused']

function mrrBand(cents: number): string {
  if (cents <= 0) return 'Free'
  const [, name] = BANDS.find(([below]) => cents < below) ?? []
  return name ?? '$5000+'
}
const BANDS: readonly (readonly [number, string])[] = [
  [10_000, '<$100'],
  [50_000, '$100-$500'],
  [100_000, '$500-$1000'],
  [500_000, '$1000-$5000'],
]

/** Whole months that have passed, a day that a month lacks being its last. */
function monthsSince(created: Date, now: Date): number {
  let months = 0
  for (;;) {
    const reached = new Date(created)
    reached.setUTCDate(1)
    reached.setUTCMonth(reached.getUTCMonth() + months + 1)
    const last = new Date(Date.UTC(reached.getUTCFullYear(), reached.getUTCMonth() + 1, 0)).getUTCDate()
    reached.setUTCDate(Math.min(created.getUTCDate(), last))
    if (reached > now) return months
    months += 1
  }
}

const ascending = (values: Iterable<string | number | null>) =>
  [...new Set(values)]
    .filter((value) => value !== null)
    .sort((a, b) => (typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)))))

oneEngineInRotation('computed attributes', (target) => {
  let service: RealService
  let customers: readonly Row[]
  let live: readonly Row[]
  beforeAll(async () => {
    service = await realService(target, { definitions: { allow_unpriced: true } })
    const rowsOf = async (list: string) => (await service.ask('GET', `${list}?limit=1000`)).body.rows as readonly Row[]
    customers = await rowsOf('customers')
    live = (await rowsOf('subscriptions')).filter(({ status }) => LIVE.includes(String(status)))
  })
  afterAll(() => service.close())

  const valuesOf = async (key: string) => (await service.ask('GET', `attributes/computed.${key}/values?limit=1000`)).body
  let count = 0
  const segment = async (...conditions: readonly unknown[]): Promise<string> => {
    const body = { name: `s${count++}`, definition: allOf(...conditions) }
    const created = await service.ask('POST', 'segments', body)
    expect(created).toMatchObject({ status: 201, body: { warnings: [] } })
    return created.body.id
  }
  const figure = async (path: string, field: string, narrowed: string): Promise<number> => {
    const { status, body } = await service.ask('GET', `metrics/${path}${path.includes('?') ? '&' : '?'}${narrowed}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return (body as readonly Row[]).reduce((sum, row) => sum + Number(row[field]), 0)
  }

  it('tell the values that customers have now', async () => {
    const created = customers.map((row) => new Date(String(row['created_at'])))
    const midnight = (day: string | number | null | undefined) => (typeof day === 'string' ? `${day}T00:00:00.000Z` : null)
    expect(await valuesOf('customer_created_month')).toEqual({
      key: 'computed.customer_created_month',
      type: 'timestamp',
      values: ascending(created.map((at) => midnight(`${at.toISOString().slice(0, 7)}-01`))),
      truncated: false,
    })
    expect((await valuesOf('cohort_month')).values).toEqual(ascending(customers.map((row) => midnight(row['cohort_month']))))
    expect(await valuesOf('tenure_months')).toMatchObject({
      type: 'number',
      values: ascending(created.map((at) => monthsSince(at, END_OF_RECORDING))),
    })
    const bases = live.map((row) => Number(row['mrr_base_cents']))
    expect((await valuesOf('mrr_band')).values).toEqual(ascending(bases.map(mrrBand)))
    expect((await valuesOf('arr_band')).values.length).toBeGreaterThan(2)
  })

  it('are cut at the limit, and unknown ones are not found', async () => {
    const all = (await valuesOf('cohort_month')).values as readonly string[]
    expect((await service.ask('GET', 'attributes/computed.cohort_month/values?limit=2')).body).toMatchObject({
      values: all.slice(0, 2),
      truncated: true,
    })
    expect((await service.ask('GET', 'attributes/computed.phase_type/values')).status).toBe(404)
  })

  const totals = new Map<string, Promise<number>>()
  const total = (path: string, field: string): Promise<number> => {
    const known = totals.get(path) ?? figure(path, field, '')
    totals.set(path, known)
    return known
  }

  // Of each key another figure, and which it is changes from turn to turn.
  it.each(['cohort_month', 'customer_created_month', 'tenure_months'].map((key, number) => [key, number] as const))(
    'segments by the values of %s and of none add up on every metric',
    async (key, number) => {
      const field = `computed.${key}`
      const values = (await valuesOf(key)).values as readonly (string | number)[]
      const half = Math.ceil(values.length / 2)
      const parts = await Promise.all([
        segment({ field, op: 'in', value: values.slice(0, half) }),
        segment({ field, op: 'in', value: values.slice(half).map(String) }),
        segment({ field, op: 'is_empty' }),
      ])
      for (const [path, measure] of FIGURES.filter((_, index) => isInTurn(index + number, 5))) {
        const sums = await Promise.all(parts.map((id) => figure(path, measure, `segment=${id}`)))
        const all = await total(path, measure)
        expect(
          sums.reduce((sum, part) => sum + part, 0),
          path,
        ).toBe(all)
        expect(Math.abs(all), path).toBeGreaterThan(0)
      }
    },
  )

  it('a segment of a band is the customers with a stretch in it, on every metric', async () => {
    const inBand = live.filter((row) => mrrBand(Number(row['mrr_base_cents'])) === '$100-$500')
    const ids = ascending(inBand.map((row) => row['customer_id'] ?? null))
    expect(ids.length).toBeGreaterThan(3)
    const id = await segment({ field: 'computed.mrr_band', op: '=', value: '$100-$500' })
    const named = await segment({ field: 'customer.id', op: 'in', value: ids })
    const others = await segment({ field: 'computed.mrr_band', op: '!=', value: '$100-$500' })
    for (const [path, measure] of sampleOf(target, FIGURES)) {
      expect(await figure(path, measure, `segment=${id}`), path).toBe(await figure(path, measure, `segment=${named}`))
    }
    expect(await figure('mrr?dimensions=plan_id', 'mrr', `segment=${others}`)).toBeGreaterThan(0)
  })
})
