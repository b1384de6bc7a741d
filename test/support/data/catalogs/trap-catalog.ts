import { catalogOf, type Happening, monthlyPlan, type Scenario } from '../scenario-tables.ts'
import { phaseXml, planXml } from './catalog-xml.ts'

const monthly = (USD: string, EUR: string) => phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD, EUR } })

/** Monthly MRR in cents: gold 3000 (EUR 2000), silver 1000, year 1000, try 2000 after 14 days of trial, free 0. */
export const TRAP_CATALOG = catalogOf(
  planXml('gold', { final: monthly('30', '20') }),
  monthlyPlan('silver', '10'),
  planXml('year', { final: phaseXml('EVERGREEN', { period: 'ANNUAL', prices: { USD: '120' } }) }),
  monthlyPlan('try', '20', { initial: phaseXml('TRIAL', { unit: 'DAYS', number: 14 }) }),
  planXml('free'),
)

/** A scenario over that catalog. */
export function trap(parts: Omit<Scenario, 'catalogs'>): Scenario {
  return { catalogs: [TRAP_CATALOG], ...parts }
}

/** A subscription to a plan that begins on a day and is cancelled on another. */
export function held(plan: string, from: string, until?: string): { events: readonly Happening[] } {
  const create: Happening = [from, 'CREATE', `${plan}-evergreen`]
  return { events: until === undefined ? [create] : [create, [until, 'CANCEL']] }
}
