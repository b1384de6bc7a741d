import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import type { SqlCatalog } from '../../src/compiler/catalog.ts'
import { parseTemplate } from '../../src/compiler/template.ts'
import { checkConformance } from '../../src/connector-kit/conformance.ts'
import { definitionsSchema } from '../../src/core/definitions.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { fillToy } from '../support/data/toy-data.ts'
import { EXAMPLE_RATES, NOW } from '../support/data/worked-example.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import type { TestDatabase } from '../support/databases/targets.ts'
import { createToyConnector } from '../support/product/toy-connector/index.ts'
import { TOY_CATALOG, toyEngine } from '../support/product/toy-engine.ts'
import { tryToy } from '../support/product/try-toy-connector.ts'

everyEngine('the relations of the toy connector', (target) => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await target.createDatabase()
    await fillToy(database)
  })

  const check = (catalog: SqlCatalog) =>
    checkConformance({
      connector: createToyConnector(),
      executor: database.executor(),
      catalog,
      now: NOW,
      definitions: { ...definitionsSchema.parse({}), base_currency: 'USD' },
      rates: EXAMPLE_RATES,
    })

  it('keep their contracts, those that are derived for it too', async () => {
    expect(await check(TOY_CATALOG)).toEqual([])
  })

  it('spans that do not reach back before the window are found by what becomes of a return (D32)', async () => {
    const path = join(packageRoot(), 'sql', 'relations', 'subscription_span.sql')
    const text = readFileSync(path, 'utf8')
      .replace('-- param:    window_end', '-- param:    window_start timestamp\n-- param:    window_end')
      .replace(
        /(state_from <= :window_end)/,
        "$1 and coalesce(next_from, ended_at, timestamp '9999-12-31 00:00:00') >= :window_start",
      )
    const cut = parseTemplate('subscription_span.sql', text)
    const relation: SqlCatalog['relation'] = (name, dialect) =>
      name === 'subscription_span' ? cut : TOY_CATALOG.relation(name, dialect)
    const findings = await check({ ...TOY_CATALOG, relation })
    expect(findings.map(({ relation: of, check: what, count }) => `${of} ${what} ${count}`)).toEqual(['mrr_movement windows 1'])
    expect(findings[0]?.message).toContain('reactivation, then new')
  })

  it.each([
    ['trial', ['trial_conversion_rate']],
    ['usage_charge', []],
    ['mrr_span', ['mrr', 'logo_churn_rate', 'ltv']],
  ])('keys that are no numbers do not stop the summary where %s is not supplied', async (name, missing) => {
    const whole = (await (await toyEngine(database)).summary()).data as Record<string, unknown>
    const data = (await (await toyEngine(database, { [name]: 'absent' })).summary()).data as Record<string, unknown>
    const lacking = data['unsupported'] as readonly string[]
    expect(lacking).toEqual(expect.arrayContaining(missing))
    const supplied = Object.keys(whole).filter((key) => key !== 'unsupported' && !lacking.includes(key))
    if (name !== 'usage_charge') for (const key of supplied) expect(data[key]).toEqual(whole[key])
    for (const key of lacking) expect(data[key]).toBeNull()
  })

  it('the guide’s trial finds nothing and answers, by nothing but the configuration', async () => {
    const options = { 'database.url': database.url, 'store.url': 'none', 'connector.type': 'toy', 'clock.now': NOW.toISOString() }
    expect(await tryToy({ environment: {}, cwd: '/', home: undefined, options })).toEqual({
      findings: [],
      mrr: [
        { currency: 'EUR', mrr: 16000 },
        { currency: 'USD', mrr: 14233 },
      ],
    })
  })
})
