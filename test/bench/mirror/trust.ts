import { median } from '../measure.ts'
import type { Service } from './checkout.ts'
import { answered, costOf, mean, middle, settled } from './instruments.ts'
import type { Bench } from './parts.ts'
import type { Cost } from './processor.ts'
import { QUESTIONS } from './questions.ts'

const ROWS = [
  ['of the point MRR', '/api/metrics/mrr/rows?limit=100'],
  [
    'of a month of new MRR',
    '/api/metrics/mrr/rows?query_type=breakdown&start=2026-10-01&end=2026-10-31&movement_type=new&limit=100',
  ],
] as const
const HEALTH = '/api/billing-health?start=2026-08-23&end=2026-11-20'
const VERIFY = '/api/verify'
const ROUNDS = 3
/** No other part asks about days as early as this one. */
const FIRST_DAY = 40

/** Questions that are asked under each definition set. */
const BY_SET = QUESTIONS.filter(({ title }) => ['point MRR', '36-month series', '12-month waterfall'].includes(title))

/** Rows behind numbers, billing health, the checks of `verify`, and the definition sets. */
export async function trust({ backends, record }: Bench, service: Service): Promise<void> {
  const asked = async (path: string): Promise<Cost> => {
    const [cost] = await costOf(backends, service, () => answered(service, path))
    return cost
  }
  for (const [title, path] of ROWS) {
    const costs: Cost[] = []
    // Another page each time, because a repeated question is answered from memory.
    for (let page = 0; page < ROUNDS; page += 1) costs.push(await asked(`${path}&offset=${100 * page}`))
    record(`a page of 100 rows ${title}`, middle(costs))
  }
  record('billing health of 90 days', await asked(HEALTH))
  record('verify', await asked(VERIFY))
  const { sets } = JSON.parse((await answered(service, '/api/definitions')).body) as { sets: readonly string[] }
  const usual = await costsOf(asked, undefined, FIRST_DAY)
  for (const [index, set] of sets.entries()) {
    const day = FIRST_DAY + 2 * ROUNDS * (index + 1)
    for (const [when, firstDay] of [
      ['first asked', day],
      ['asked again', day + ROUNDS],
    ] as const) {
      const costs = await costsOf(asked, set, firstDay)
      const times = median(costs.map(({ service: own }, index) => (own ?? 0) / (usual[index]?.service ?? 1)))
      record(`definition set ${set}, ${when}: mean of ${costs.length} questions`, mean(costs))
      record(`definition set ${set}, ${when}: times the default`, times.toFixed(1))
      // The cache makes the relations of a set after the second question.
      await settled(service, backends)
    }
  }
}

/** The cost of each question under a definition set, each the median of some days. */
async function costsOf(
  asked: (path: string) => Promise<Cost>,
  set: string | undefined,
  firstDay: number,
): Promise<readonly Cost[]> {
  const found: Cost[] = []
  for (const { path } of BY_SET) {
    const costs: Cost[] = []
    for (let days = firstDay; days < firstDay + ROUNDS; days += 1) {
      const plain = path(days)
      const sign = plain.includes('?') ? '&' : '?'
      costs.push(await asked(set === undefined ? plain : `${plain}${sign}definitions=${encodeURIComponent(set)}`))
    }
    found.push(middle(costs))
  }
  return found
}
