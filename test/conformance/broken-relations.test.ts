import { beforeAll, expect, it } from 'vitest'
import type { SqlCatalog } from '../../src/compiler/catalog.ts'
import type { InlineColumn, InlineRelation } from '../../src/compiler/inline.ts'
import { parseTemplate } from '../../src/compiler/template.ts'
import { checkConformance } from '../../src/connector-kit/conformance.ts'
import type { DatabaseConnector } from '../../src/connector-kit/connector.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { EXAMPLE_RATES, exampleConnector, NOW, SPANS, span } from '../support/data/worked-example.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import { CATALOG } from '../support/product/example-engine.ts'

type Change = (relation: InlineRelation) => InlineRelation | undefined

/** The example with some of its relations changed; one that becomes undefined is not supplied although the connector says so. */
function changed(changes: Readonly<Record<string, Change>>, connector = exampleConnector()): DatabaseConnector {
  return {
    ...connector,
    async open(snapshot, request) {
      const session = await connector.open(snapshot, request)
      const relations = [...session.inline.values()].flatMap((relation) => changes[relation.name]?.(relation) ?? kept(relation))
      return { ...session, inline: new Map(relations.map((relation) => [relation.name, relation])) }

      function kept(relation: InlineRelation): readonly InlineRelation[] {
        return Object.hasOwn(changes, relation.name) ? [] : [relation]
      }
    },
  }
}

const without =
  (name: string): Change =>
  ({ columns, ...relation }) => {
    const at = columns.findIndex((column) => column.name === name)
    return { ...relation, columns: columns.toSpliced(at, 1), rows: relation.rows.map((row) => row.toSpliced(at, 1)) }
  }
const typed =
  (name: string, type: InlineColumn['type'], cell: string): Change =>
  ({ columns, ...relation }) => {
    const at = columns.findIndex((column) => column.name === name)
    return { ...relation, columns: columns.with(at, { name, type }), rows: relation.rows.map((row) => row.with(at, cell)) }
  }
const first =
  (name: string, cell: string | null): Change =>
  ({ rows, ...relation }) => {
    const at = relation.columns.findIndex((column) => column.name === name)
    return { ...relation, rows: rows.map((row, index) => (index === 0 ? row.with(at, cell) : row)) }
  }
const doubled: Change = ({ rows, ...relation }) => ({ ...relation, rows: [...rows, ...rows.slice(0, 2)] })

const withSpans = (...more: readonly (typeof SPANS)[number][]) => exampleConnector({ spans: [...SPANS, ...more] })

// Same original amount, fixed on another day: the rate would move MRR without a movement (D12).
const REVALUED = [
  span('S8', 1, '2025-01-05', '2025-03-05', 4, { currency: 'EUR', subscription_mrr_cents: 100 }),
  span('S8', 1, '2025-03-05', null, 4, { currency: 'EUR', subscription_mrr_cents: 100 }),
]

// Free, so that no amount of one currency is compared with one of the other (D9).
const OF_TWO_CURRENCIES = [
  span('S9', 1, '2025-02-01', '2025-02-10', 1, {}),
  span('S9', 1, '2025-02-10', null, 2, { currency: 'EUR', start_reason: 'plan' }),
]

const CASES: readonly (readonly [found: string, connector: DatabaseConnector])[] = [
  ['invoice readable 1', changed({ invoice: () => undefined })],
  ['customer columns 1', changed({ customer: without('email') })],
  ['customer types 6', changed({ customer: typed('created_at', 'date', '2025-01-01') })],
  ['subscription_span types 16', changed({ subscription_span: typed('quantity', 'decimal', '1.5') })],
  ['cancellation types 3', changed({ cancellation: typed('is_last', 'text', 'yes') })],
  ['customer nulls 1', changed({ customer: first('source_id', null) })],
  ['customer values 1', changed({ customer: first('collection_method', 'by hand') })],
  ['subscription_span values 1', changed({ subscription_span: first('status', 'sleeping') })],
  ['customer grain 2', changed({ customer: doubled })],
  ['invoice grain 2', changed({ invoice: doubled })],
  ['subscription_span spans 1', withSpans(span('S1', 1, '2025-02-01', '2025-02-10', 1, { subscription_mrr_cents: 1 }))],
  ['subscription_span spans 1', withSpans(span('S9', 1, '2025-02-01', '2025-02-01', 1, { subscription_mrr_cents: 1 }))],
  ['subscription_span spans 1', withSpans(...OF_TWO_CURRENCIES)],
  ['mrr_movement movements 1', withSpans(...REVALUED)],
]

everyEngine('a relation that breaks its contract', (target) => {
  let executor: Executor
  beforeAll(async () => {
    executor = (await target.createDatabase()).executor()
  })
  const definitions = { ...definitionsSchema.parse({}), base_currency: 'USD' }
  const check = (connector: DatabaseConnector, catalog: SqlCatalog = CATALOG) =>
    checkConformance({ connector, executor, catalog, now: NOW, definitions, rates: EXAMPLE_RATES })

  it('the example keeps all contracts', async () => {
    expect(await check(exampleConnector())).toEqual([])
  })

  it.each(CASES)('is found: %s', async (found, connector) => {
    const findings = await check(connector)
    expect(findings.map(({ relation, check: what, count }) => `${relation} ${what} ${count}`)).toEqual([found])
    expect(findings[0]?.message).toMatch(/.+: .+/)
  })

  it('movements that do not sum to the spans', async () => {
    const template = parseTemplate(
      'mrr_movement.sql',
      `-- relation: mrr_movement\n-- reads: mrr_span\nselect span.valid_from as occurred_at, 'new' as movement_type,
        'subscription' as movement_source, span.subscription_mrr_cents as amount_cents, span.subscription_mrr_base_cents as amount_base_cents,
        0 as rate_base_cents, span.currency, span.customer_key, span.subscription_id, span.plan_key, span.plan, span.phase_type, span.price_list,
        span.mrr_base_cents, span.start_reason as reason, span.is_paused as is_swap, span.is_paused as is_switch, span.is_unpriced, span.subscription_fixed_on as fixed_on
      from relation.mrr_span as span where span.subscription_id = 'S1'`,
    )
    const findings = await check(exampleConnector(), replaced('mrr_movement', template))
    expect(findings.map(({ message, count }) => [message.split(':')[0], count])).toEqual([
      ['subscription movements do not sum to "subscription_mrr_cents"', 5],
      ['subscription movements do not sum to "subscription_mrr_base_cents"', 5],
      ['usage movements do not sum to "usage_mrr_cents"', 1],
      ['usage movements do not sum to "usage_mrr_base_cents"', 1],
    ])
  })

  it('one that the database refuses does not hide the others', async () => {
    const refused = parseTemplate('customer.sql', '-- relation: customer\nselect nobody.customer_key from nowhere as nobody')
    const findings = await check(changed({ customer: () => undefined, invoice: doubled }), replaced('customer', refused))
    expect(findings.map(({ relation, check: what }) => `${relation} ${what}`)).toEqual(['customer readable', 'invoice grain'])
    expect(findings[0]?.message).toContain('nowhere')
  })
})

function replaced(name: string, template: ReturnType<typeof parseTemplate>): SqlCatalog {
  return { ...CATALOG, relation: (asked, dialect) => (asked === name ? template : CATALOG.relation(asked, dialect)) }
}
