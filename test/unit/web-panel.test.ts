import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Drill, panelText, readPanel } from '../../src/web/controls/panel.ts'
import { readAddress, stringifySearch } from '../../src/web/controls/search.ts'

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
const drills: fc.Arbitrary<Drill> = fc.record(
  {
    title: text,
    note: text,
    sum: fc.constantFrom('mrr', 'amount_base'),
    fields: fc.constant(['customer_name', 'mrr']),
    only: fc.record({ months_since: text, active_month: fc.array(text, { minLength: 2 }) }),
    why: fc.constant(true),
    measures: fc.constantFrom(['revenue_lost'], ['revenue_lost', 'start_mrr']),
    leads: fc.constant('cohort'),
    question: fc.record(
      {
        path: fc.constantFrom('/api/metrics/mrr/rows', '/api/metrics/usage_revenue/rows', '/api/invoices'),
        query: fc.record(
          { start: fc.constant('2026-10-01'), filter: fc.array(text, { minLength: 1 }), order: text, dimensions: text },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: ['path', 'query'] },
    ),
  },
  { requiredKeys: ['title', 'question'] },
) as fc.Arbitrary<Drill>

/** A panel after its way through the address of a page. */
function shared(drill: Drill): Drill | undefined {
  const { panel } = readAddress(stringifySearch({ range: 'last-3-months', panel: panelText(drill) }))
  return readPanel(panel === undefined ? undefined : String(panel))
}

describe('the panel in the address', () => {
  it('every panel is the same after its way through an address, whatever its texts hold', () => {
    fc.assert(
      fc.property(drills, (drill) => {
        expect(shared(drill)).toEqual(drill)
      }),
    )
  })

  it('reads like the call that it makes', () => {
    const drill: Drill = {
      title: 'Churn in Oct 2026',
      question: {
        path: '/api/metrics/mrr/rows',
        query: { start: '2026-10-01', end: '2026-10-31', filter: ['customer_country=DE'], segment: undefined },
      },
      measures: ['churn'],
    }
    expect(stringifySearch({ panel: panelText(drill) })).toBe(
      '?panel=/api/metrics/mrr/rows?start=2026-10-01;end=2026-10-31;filter=customer_country=DE;_title=Churn+in+Oct+2026;_measures=churn',
    )
  })

  it('a panel with more filters than an address can hold says so', () => {
    const filter = Array.from({ length: 400 }, (_, place) => `customer_id=${place}-${'x'.repeat(20)}`)
    const read = shared({ title: 'MRR', question: { path: '/api/metrics/mrr/rows', query: { filter } } })
    expect(read?.question).toBeUndefined()
    expect(read?.note).toContain('Too many filters')
  })

  it.each([
    ['a path that no panel asks', '/api/keys?_title=Keys'],
    ['another host', 'https://example.com/api/metrics/mrr/rows?_title=MRR'],
    ['a path with a step up', '/api/metrics/../keys/rows?_title=Keys'],
    ['a property that every object has', 'constructor?_title=MRR'],
    ['no title', '/api/metrics/mrr/rows?at=2026-10-31'],
    ['no call and no note', '?_title=MRR'],
    ['a name that is no parameter', '/api/metrics/mrr/rows?__proto__=x;_title=MRR'],
    ['no question mark', '/api/metrics/mrr/rows'],
    ['a text that is too long', `/api/metrics/mrr/rows?_title=${'x'.repeat(8_000)}`],
  ])('drops %s', (_, panel) => {
    expect(readPanel(panel)).toBeUndefined()
    expect(readAddress(stringifySearch({ panel }))).toEqual({})
  })
})
