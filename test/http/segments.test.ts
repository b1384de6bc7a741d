import { beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Executor } from '../../src/ports/executor.ts'
import type { Store } from '../../src/ports/store.ts'
import { HOSTILE_TEXTS, NOT_STORABLE } from '../support/data/hostile-texts.ts'
import { exampleConnector } from '../support/data/worked-example.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { appOver } from '../support/product/app-over-engine.ts'
import { exampleEngine } from '../support/product/example-engine.ts'
import { JSON_BODY } from '../support/product/json-body.ts'
import { allOf, anyOf, keptStore, nameOfSegment, segmentId } from '../support/product/store-with-segments.ts'

const is = (field: string, op: string, value?: unknown) => ({ field, op, ...(value === undefined ? {} : { value }) })
const valuesOf = (given: Readonly<Record<string, string | boolean>>) =>
  Object.entries(given).map(([customer_id, value]) => ({ source_id: 'T', customer_id, value }))

const LONG = 'k'.repeat(128)
const HOSTILE = '\' or "1"=1 -- \\ % 😀'
const ATTRIBUTES = {
  tier: { type: 'string', values: valuesOf({ A: 'gold', B: 'silver', C: 'gold', F: '' }) },
  seats: { type: 'number', values: valuesOf({ A: '5', B: '10', C: '20.5', E: '1' }) },
  'a b': { type: 'string', values: valuesOf({ A: 'x' }) },
  a_b: { type: 'string', values: valuesOf({ C: 'x' }) },
  [LONG]: { type: 'boolean', values: valuesOf({ E: true }) },
  [HOSTILE]: { type: 'string', values: valuesOf({ E: HOSTILE }) },
} as const

const DE = segmentId(1)
/** The columns of rows that name their segment. */
const named = (id: string) => ({ segment_id: id, segment_name: nameOfSegment(id) })
const US = segmentId(2)
const NOBODY = segmentId(3)
const GOLD = segmentId(4)
const BOTH = segmentId(5)
const BROKEN = segmentId(6)
const TWICE = segmentId(7)
const OR_GROUPS = segmentId(8)
const ANNUAL = segmentId(9)
const RETIRED = segmentId(10)
const EMPTY = segmentId(11)
const BANDS = segmentId(12)
const LOST = segmentId(13)

const SEGMENTS = {
  [DE]: allOf(is('customer_country', '=', 'DE')),
  [US]: allOf(is('customer.country', '=', 'US')),
  [NOBODY]: allOf(is('attr.seats', 'in', [])),
  [GOLD]: allOf(is('attr.tier', '=', 'gold')),
  [BOTH]: anyOf(is('customer_country', 'in', ['DE', 'US'])),
  [BROKEN]: allOf(is('attr.gone', '=', 1), is('subscription.trial_end', 'is_empty')),
  [TWICE]: allOf(is('attr.seats', '!=', 5), is('attr.seats', '!=', '10')),
  [OR_GROUPS]: allOf(
    { op: 'or', conditions: [is('attr.tier', '=', 'gold'), is('attr.tier', '=', 'silver')] },
    { op: 'or', conditions: [is('attr.tier', '=', 'silver'), is('attr.tier', 'is_empty')] },
  ),
  [ANNUAL]: allOf(is('subscription.plan_interval', '=', 'year')),
  [EMPTY]: allOf(),
  [RETIRED]: allOf(is('plan_id', 'is_empty'), { op: 'or', conditions: [] }),
}

const AT = '2025-05-31'
const RANGE = 'start=2025-03-01&end=2025-05-31'

oneEngineInRotation('segments over HTTP', (target) => {
  let executor: Executor
  let engine: Engine
  beforeAll(async () => {
    executor = (await target.createDatabase()).executor()
    engine = exampleEngine(executor, { store: await keptStore({ attributes: ATTRIBUTES, segments: SEGMENTS }) })
  })

  const get = async (path: string, over: Engine = engine) => {
    const response = await appOver(over).request(`/api/${path}`)
    return { status: response.status, body: (await response.json()) as never }
  }
  const answer = async (path: string): Promise<unknown> => (await get(`metrics/${path}`)).body
  const post = async (path: string, body: unknown) => {
    const response = await appOver(engine).request(`/api/${path}`, {
      method: 'POST',
      headers: JSON_BODY,
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as unknown }
  }
  const mrrOf = async (spec: Readonly<Record<string, unknown>>) => (await post('metrics/mrr', { params: { at: AT }, spec })).body
  const codeOf = (body: unknown) => (typeof body === 'number' ? body : (body as { code: string }).code)
  const compare = (...ids: readonly string[]) => ids.map((id) => `compare_segments=${id}`).join('&')

  describe('answers', () => {
    it('a segment narrows, a comparison has a row for each id as asked for, also of nothing', async () => {
      expect(await answer(`mrr?at=${AT}&segment=${DE}`)).toBe(27533)
      expect(await answer(`mrr?at=${AT}&${compare(US, NOBODY, DE, US)}`)).toEqual([
        { ...named(US), mrr: 4000 },
        { ...named(NOBODY), mrr: 0 },
        { ...named(DE), mrr: 27533 },
      ])
    })

    it('a customer counts in each branch it is in, and the segment narrows all branches', async () => {
      expect(await answer(`mrr?at=${AT}&segment=${DE}&${compare(GOLD, BOTH, US)}`)).toEqual([
        { ...named(GOLD), mrr: 27533 },
        { ...named(BOTH), mrr: 27533 },
        { ...named(US), mrr: 0 },
      ])
    })

    it('a definition in the place of a name counts as if it was saved, without a store for it', async () => {
      const written = (definition: unknown) => `segment=${encodeURIComponent(JSON.stringify(definition))}`
      const narrowed = async (definition: unknown, over: Engine = engine) =>
        (await get(`metrics/mrr?at=${AT}&${written(definition)}`, over)).body
      for (const id of [DE, US, GOLD, BOTH, OR_GROUPS])
        expect(await narrowed(SEGMENTS[id])).toBe(await answer(`mrr?at=${AT}&segment=${id}`))
      expect(await mrrOf({ segment: JSON.stringify(SEGMENTS[DE]) })).toBe(27533)
      expect(await narrowed(SEGMENTS[DE], exampleEngine(executor))).toBe(27533)
      expect(codeOf(await narrowed(allOf(is('attr.gone', '=', 1))))).toBe('unknown_attribute')
      expect(codeOf(await narrowed(allOf(is('customer_country', '~', 1))))).toBe('invalid_operator')
      expect(await get(`metrics/mrr?segment=${encodeURIComponent('{"root":')}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_value', issues: [{ where: 'query.segment' }] },
      })
    })

    it('with dimensions every id has every group', async () => {
      expect(await answer(`mrr?at=${AT}&dimensions=currency&${compare(US, DE)}`)).toEqual([
        { ...named(US), currency: 'EUR', mrr: 0 },
        { ...named(US), currency: 'USD', mrr: 4000 },
        { ...named(DE), currency: 'EUR', mrr: 16000 },
        { ...named(DE), currency: 'USD', mrr: 8333 },
      ])
      expect(await answer(`mrr?at=${AT}&dimensions=currency&${compare(NOBODY)}`)).toEqual([])
    })

    it('rates come with numerator and denominator, null where nobody was there', async () => {
      expect(await answer(`churn?${RANGE}&${compare(US, DE, NOBODY)}`)).toEqual([
        { ...named(US), logo_churn_rate: 1, churn_count: 2, active_at_start: 2 },
        { ...named(DE), logo_churn_rate: 0, churn_count: 0, active_at_start: 2 },
        { ...named(NOBODY), logo_churn_rate: null, churn_count: 0, active_at_start: 0 },
      ])
      // E has no country, B and F are what left: a reason splits the numerator only.
      expect(await answer(`churn?${RANGE}&dimensions=cancel_reason&${compare(US, DE)}`)).toEqual([
        { ...named(US), cancel_reason: 'too_expensive', logo_churn_rate: 0.5, churn_count: 1, active_at_start: 2 },
        { ...named(US), cancel_reason: null, logo_churn_rate: 0.5, churn_count: 1, active_at_start: 2 },
        { ...named(DE), cancel_reason: 'too_expensive', logo_churn_rate: 0, churn_count: 0, active_at_start: 2 },
        { ...named(DE), cancel_reason: null, logo_churn_rate: 0, churn_count: 0, active_at_start: 2 },
      ])
    })

    it('keys follow segment_id, the five movements are always there', async () => {
      const rows = (await answer(`mrr/breakdown?${RANGE}&${compare(DE, NOBODY)}`)) as readonly Record<string, unknown>[]
      expect(rows.map((row) => Object.keys(row))).toEqual(
        rows.map(() => ['segment_id', 'segment_name', 'movement_type', 'amount_base', 'event_count']),
      )
      expect(rows.map((row) => row['segment_id'])).toEqual([...Array(5).fill(DE), ...Array(5).fill(NOBODY)])
      expect(rows[1]).toEqual({ ...named(DE), movement_type: 'expansion', amount_base: 8200, event_count: 1 })
    })

    it('tables and matrices answer once for the customers of any branch', async () => {
      const detail = (await answer(`churn/customers?${RANGE}&${compare(DE, BOTH)}`)) as readonly Record<string, unknown>[]
      expect(detail.map((row) => row['customer_id'])).toEqual(['A', 'B', 'C', 'F'])
      expect(detail.every((row) => !('segment_id' in row))).toBe(true)
      const matrix = `retention?start=2025-01-01&end=2025-02-28&${compare(DE, US)}`
      expect(await answer(matrix)).toEqual(await answer(`retention?start=2025-01-01&end=2025-02-28&segment=${BOTH}`))
      const split = (await answer(`${matrix}&per_segment=true`)) as readonly Record<string, unknown>[]
      expect(split.map((row) => [row['segment_id'], row['cohort_month'], row['active_month'], row['cohort_size']])).toEqual([
        [DE, '2025-01-01', '2025-01-01', 1],
        [DE, '2025-01-01', '2025-02-01', 1],
        [DE, '2025-02-01', '2025-02-01', 1],
        [US, '2025-01-01', '2025-01-01', 2],
        [US, '2025-01-01', '2025-02-01', 2],
      ])
    })

    it('the set is that of the reference instant, for every period and metric (D62)', async () => {
      expect(await answer(`mrr?at=${AT}&segment=${ANNUAL}`)).toBe(8333)
      const levels = async (id: string) =>
        ((await answer(`mrr?${RANGE}&interval=month&segment=${id}`)) as readonly { mrr: number }[]).map((row) => row.mrr)
      // B is gone at the end of May, D long before: no stretch of theirs has a plan.
      expect(await levels(RETIRED)).toEqual([7900, 7900, 0])
      expect(await answer(`churn?${RANGE}&segment=${RETIRED}`)).toBe(1)
    })

    it('the summary is a list, and lists take a segment', async () => {
      const summary = (await answer(`summary?at=${AT}&${compare(NOBODY, DE)}`)) as readonly Record<string, unknown>[]
      expect(summary.map((row) => [row['segment_id'], row['mrr'], row['active_customers'], row['arpu']])).toEqual([
        [NOBODY, 0, 0, null],
        [DE, 27533, 2, 13766.5],
      ])
      expect((await answer(`summary?at=${AT}&segment=${DE}`)) as object).toMatchObject({ mrr: 27533, arpu: 13766.5 })
    })
  })

  describe('conditions', () => {
    it('two on one column and operator, two or-groups on one column', async () => {
      expect(await mrrOf({ segment: TWICE })).toBe(19200 + 1900)
      expect(await mrrOf({ segment: OR_GROUPS })).toBe(0)
      expect((await answer(`mrr?at=2025-05-23&segment=${OR_GROUPS}`)) as number).toBe(7900)
    })

    it('a filter and a segment on one dimension both hold', async () => {
      expect(await answer(`mrr?at=${AT}&segment=${BOTH}&filter=customer_country=US&filter=attr.seats=10`)).toBe(0)
      expect(await answer(`mrr?at=${AT}&segment=${DE}&filter=customer_country=DE&filter=attr.seats=5`)).toBe(8333)
      expect(await mrrOf({ segment: GOLD, filters: { 'attr.tier': { '!=': 'silver', starts_with: 'GO' } } })).toBe(27533)
    })

    it('keys with blanks, quotes, 128 characters are keys like others', async () => {
      expect(await mrrOf({ filters: { 'attr.a b': 'x' } })).toBe(8333)
      expect(await mrrOf({ filters: { 'attr.a_b': 'x' } })).toBe(19200)
      expect(await mrrOf({ filters: { [`attr.${LONG}`]: 'true' } })).toBe(1900)
      expect(await mrrOf({ filters: { [`attr.${HOSTILE}`]: { '=': HOSTILE, ends_with: '% 😀' } } })).toBe(1900)
      expect(await mrrOf({ filters: { 'attr.seats': { '>=': '5', '<': 20.5 } } })).toBe(8333)
    })

    it('an attribute is joined once for all its uses', async () => {
      const spec = { segment: GOLD, compare: [GOLD, OR_GROUPS, TWICE], filters: { 'attr.tier': { '!=': 'a', in: ['gold'] } } }
      const statements = await engine.compile('mrr', { at: AT }, spec)
      expect(statements.map(({ text }) => text.match(/left join[^;]*? as ca_\d+ on/g)?.length)).toEqual([2])
      expect(statements[0]?.text.match(/\bas seg\b/g)?.length).toBe(1)
    })

    it('the reserved filters of a body mean the same, a query string has none', async () => {
      expect(await mrrOf({ filters: { __segment_id__: DE } })).toBe(27533)
      expect((await post('metrics/mrr', { params: { at: AT, segment: DE } })).body).toBe(27533)
      expect(await mrrOf({ filters: { __compare_segment_ids__: [DE] } })).toEqual([{ ...named(DE), mrr: 27533 }])
      expect(await mrrOf({ segment: DE, filters: { __segment_id__: US } })).toMatchObject({ code: 'invalid_value' })
      expect((await get(`metrics/mrr?filter=__segment_id__=${DE}`)).body).toMatchObject({ code: 'unknown_filter' })
    })
  })

  describe('refusals', () => {
    it('more than ten to compare, once each; ten are fine', async () => {
      const unknown = Array.from({ length: 11 }, (_, index) => segmentId(100 + index))
      const refused = { status: 400, body: { code: 'too_many_segments', limit: 10 } }
      expect(await get(`metrics/mrr?${compare(...unknown)}`)).toMatchObject(refused)
      const ten = [DE, US, NOBODY, GOLD, BOTH, TWICE, OR_GROUPS, ANNUAL, RETIRED, EMPTY]
      expect(await answer(`mrr?at=${AT}&${compare(...ten, DE)}`)).toHaveLength(10)
      expect(await get(`metrics/summary?${compare(...unknown)}`)).toMatchObject(refused)
    })

    it('all unknown ids together, with what else is wrong', async () => {
      const { status, body } = await get(`metrics/mrr?segment=nope&${compare(DE, LOST)}&dimensions=plan&filter=attr.tear=x`)
      expect(status).toBe(400)
      const issues = (body as { issues: readonly { code: string; where: string; did_you_mean: readonly string[] }[] }).issues
      expect(issues.map(({ code, where }) => `${code} ${where}`)).toEqual([
        'unknown_dimension query.dimensions',
        'unknown_attribute query.filter',
        'unknown_segment query.segment',
        'unknown_segment query.compare_segments',
      ])
      expect(issues[1]?.did_you_mean).toContain('attr.tier')
      const lost = await get(`metrics/mrr?segment=nope&${compare(DE, LOST)}`)
      expect(lost).toMatchObject({ status: 404, body: { code: 'unknown_segment', segment_ids: ['nope', LOST] } })
    })

    it('a name stands for its segment, and is next to its id in every row', async () => {
      const name = encodeURIComponent(nameOfSegment(DE))
      expect(await answer(`mrr?at=${AT}&segment=${name}`)).toEqual(await answer(`mrr?at=${AT}&segment=${DE}`))
      // Id and name of one segment are a repeat.
      const both = await get(`metrics/mrr?at=${AT}&compare_segments=${name}&${compare(US, DE)}`)
      expect(JSON.stringify(both.body)).toBe(
        JSON.stringify([
          { ...named(DE), mrr: 27533 },
          { ...named(US), mrr: 4000 },
        ]),
      )
      const missed = await get('metrics/mrr?segment=segment%201')
      expect(missed).toMatchObject({
        status: 404,
        body: { issues: [{ value: 'segment 1', did_you_mean: ['Segment 1', expect.any(String), expect.any(String)] }] },
      })
    })

    it('an issue names the place where the segment was given', async () => {
      const refused = await post('metrics/mrr', { params: { segment: 'nope' } })
      expect(refused).toMatchObject({
        status: 404,
        body: { issues: [{ code: 'unknown_segment', where: 'body.params.segment' }] },
      })
    })

    it('hostile texts are names that nobody has', async () => {
      for (const text of [...HOSTILE_TEXTS, ...NOT_STORABLE]) {
        const answers = [
          await mrrOf({ segment: text, compare: [text] }),
          await mrrOf({ filters: { [`attr.${text}`]: text } }),
          (await get(`customers?segment=${encodeURIComponent(text)}`)).body,
        ]
        expect(answers.map((body) => (body as { code: string }).code)).toEqual([
          'unknown_segment',
          'unknown_attribute',
          'unknown_segment',
        ])
        const definition = allOf(is(text, '=', text), is('customer.name', text, text), is(`attr.${text}`, 'in', text))
        expect((await post('segments/validate', definition)).body).toMatchObject({ valid: false })
        const spec = { filters: { 'attr.tier': { contains: text, '!=': text, 'not in': [text] } } }
        expect([0, 'invalid_value']).toContain(codeOf(await mrrOf(spec)))
      }
    })

    it('names that a saved segment has and nobody knows', async () => {
      expect(await get(`metrics/mrr?segment=${BROKEN}`)).toMatchObject({
        status: 400,
        body: { code: 'unknown_filter', segment_id: BROKEN },
      })
      expect(await get('metrics/mrr?filter=attr.gone=1')).toMatchObject({
        status: 400,
        body: { code: 'unknown_attribute', available_attributes: expect.arrayContaining(['attr.a b', 'attr.tier']) },
      })
    })

    it('values that do not fit, and per_segment where nothing is compared', async () => {
      expect(await mrrOf({ filters: { 'attr.seats': 'many' } })).toMatchObject({ code: 'invalid_value' })
      expect(await mrrOf({ filters: { 'attr.seats': { contains: '1' } } })).toMatchObject({ code: 'invalid_operator' })
      expect(await mrrOf({ filters: { 'attr.tier': 'a\u0000b' } })).toMatchObject({ code: 'invalid_value' })
      expect((await get(`metrics/retention?${RANGE}&per_segment=true`)).body).toMatchObject({ code: 'invalid_value' })
      expect((await get(`metrics/mrr?per_segment=true&${compare(DE)}`)).body).toMatchObject({ code: 'invalid_value' })
    })

    it('a band that is not known makes nobody a member by silence (D14, D26)', async () => {
      const store = await keptStore({ segments: { [BANDS]: allOf(is('mrr_band', '=', '$100-$500')) } })
      const rated = exampleEngine(executor, { store })
      expect((await get(`metrics/churn?${RANGE}&segment=${BANDS}`, rated)).body).toBe(0)
      const unrated = exampleEngine(executor, { store, connector: exampleConnector({ rates: [] }) })
      expect((await get(`metrics/churn?${RANGE}`, unrated)).body).toBe(0.4)
      const refused = { status: 422, body: { code: 'missing_fx_rate', currency: 'EUR' } }
      expect(await get(`metrics/churn?${RANGE}&segment=${BANDS}`, unrated)).toMatchObject(refused)
    })

    it('a store that is off or down stops what needs it and nothing else', async () => {
      const off = exampleEngine(executor)
      expect((await get(`metrics/mrr?at=${AT}`, off)).body).toBe(33433)
      expect(await get(`metrics/mrr?segment=${DE}`, off)).toMatchObject({
        status: 422,
        body: { code: 'unsupported_by_connector', connector: 'example', missing: ['store'] },
      })
      const refuse = () => Promise.reject(new AppError('connector_unavailable', 'The store is down.'))
      const kept = await keptStore({})
      const down = exampleEngine(executor, {
        store: {
          ...kept,
          inWorkspace: () => ({ attributes: { definitions: refuse }, segments: { named: refuse } }),
        } as unknown as Store,
      })
      expect((await get(`metrics/mrr?at=${AT}`, down)).body).toBe(33433)
      expect(await get(`metrics/mrr?segment=${DE}`, down)).toMatchObject({ status: 503 })
      expect(await get('metrics/mrr?filter=attr.tier=gold', down)).toMatchObject({ status: 503 })
      // Other errors are still reported.
      expect(await get(`metrics/mrr?segment=${DE}&dimensions=plan`, down)).toMatchObject({ status: 400 })
    })
  })

  it('discovery lists attributes, and as filters with the operators of their type', async () => {
    const { body } = await get('metrics/mrr/fields')
    const { attributes, filters } = body as unknown as Record<'attributes' | 'filters', readonly Record<string, unknown>[]>
    expect(attributes.find(({ key }) => key === 'attr.seats')).toEqual({
      key: 'attr.seats',
      label: 'seats',
      type: 'number',
      source: 'csv',
      queries: ['arr', 'breakdown', 'components', 'current', 'series', 'waterfall'],
    })
    expect(filters.find(({ key }) => key === 'attr.seats')).toMatchObject({
      type: 'number',
      operators: expect.arrayContaining(['between']),
    })
    expect(attributes.map(({ key }) => key)).toEqual(attributes.map(({ key }) => key).toSorted())
  })

  it('validate reports every failure with its path, for each metric', async () => {
    const root = { op: 'and', conditions: [is('attr.tier', '~', 'x'), is('attr.tear', '=', 1), is('attr.seats', 'in', 3)] }
    const { status, body } = await post('segments/validate', { version: 1, root })
    expect(status).toBe(200)
    const errors = [
      'root.conditions[0]: unknown operator "~"',
      expect.stringContaining('root.conditions[1]: unknown attribute "tear"'),
      'root.conditions[2]: "in" must have a list; got 3',
    ]
    expect(body).toMatchObject({ valid: false, errors, errors_by_metric: { mrr: errors, trials: errors } })
    expect((await post('segments/validate', { definition: SEGMENTS[GOLD], metric: 'mrr' })).body).toEqual({
      valid: true,
      errors: [],
      errors_by_metric: { mrr: [] },
      warnings: [],
    })
    expect((await post('segments/validate', { root: { op: 'xor' } })).body).toMatchObject({ valid: false, errors_by_metric: {} })
    expect(await post('segments/validate', { definition: SEGMENTS[GOLD], metric: 'mmr' })).toMatchObject({ status: 404 })
    expect(await post('segments/validate', { definition: SEGMENTS[GOLD], metric: 'expenses' })).toMatchObject({ status: 422 })
  })
})
