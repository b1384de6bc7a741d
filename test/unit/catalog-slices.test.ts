import { expect, it } from 'vitest'
import type { CatalogVersion } from '../../connectors/killbill/catalog/catalog-version.ts'
import { parseCatalog } from '../../connectors/killbill/catalog/parse.ts'
import { catalogRelationsInTurns, numberPlans } from '../../connectors/killbill/catalog/price-rows.ts'
import { sourceFiles } from '../arch/source-tree.ts'
import { catalogXml } from '../support/data/catalogs/catalog-xml.ts'
import { monthlyPlan } from '../support/data/scenario-tables.ts'

const VERSIONS = 2_000
const CURRENCIES = ['USD', 'EUR', 'GBP', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN']
const DAY_MS = 86_400_000

/** Processor time, so that what else the machine does counts for nothing. */
const used = () => process.cpuUsage().user

/** The largest share of the work that kept the thread at a stretch. */
async function largestShare(versions: readonly CatalogVersion[]): Promise<number> {
  const began = used()
  let [last, longest, isOver] = [began, 0, false]
  const look = () => {
    const now = used()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await catalogRelationsInTurns([{ tenantKey: 1, versions, overrides: new Map() }], CURRENCIES, numberPlans())
  isOver = true
  return Math.max(longest, used() - last) / (used() - began)
}

it('others get their turn while prices are made, also within one plan that many versions have', async () => {
  const [template] = parseCatalog(catalogXml({ effectiveDate: '2020-01-01', plans: monthlyPlan('box', '10') }))
  if (template === undefined) throw new Error('no version')
  const [plan] = template.plans.values()
  if (plan === undefined) throw new Error('no plan')
  const versions = Array.from({ length: VERSIONS }, (_, place) => ({
    ...template,
    effective_at: new Date(template.effective_at.getTime() + place * DAY_MS),
    plans: new Map([
      [
        'box',
        {
          ...plan,
          phases: plan.phases.map((phase) => ({
            ...phase,
            recurring:
              phase.recurring === null
                ? null
                : { ...phase.recurring, prices: new Map(CURRENCIES.map((currency) => [currency, `${place}.50`])) },
          })),
        },
      ],
    ]),
  }))
  // A collection of garbage may fall into any stretch.
  const shares = [await largestShare(versions), await largestShare(versions), await largestShare(versions)]
  expect(Math.min(...shares)).toBeLessThan(0.5)
})

it('nothing in the product makes them at a stretch', () => {
  const callers = sourceFiles('connectors', ['.ts']).filter(({ text }) => /(?<!function )\bcatalogRelations\(/.test(text))
  expect(callers.map(({ path }) => path)).toEqual([])
})
