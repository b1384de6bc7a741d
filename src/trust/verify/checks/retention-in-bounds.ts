import type { Row } from '../../../ports/rows.ts'
import type { Fault, Identity } from '../check.ts'
import { byKey, keyOf, numberIn } from '../rows.ts'

/** I9: bounds of the retention rates. */
export const retentionInBounds: Identity = {
  name: 'retention_in_bounds',
  description:
    'Gross retention is between 0 and 1 and at most net retention. Without gains both are equal, and without movements both are 1.',
  identities: ['I9'],
  unit: 'groups',
  queries: ['retention.nrr', 'retention.grr'],
  isGrouped: true,
  async holds(ask, { range, dimensions, filters }) {
    // By currency the amounts are those that decide the type (D31), so a sum of 0 means that there were none.
    const by = [...dimensions.filter((name) => name !== 'currency'), 'currency']
    const [net, gross] = await Promise.all([
      ask.rows('retention.nrr', { ...range }, { dimensions: by, filters }).then((rows) => byKey(rows, by)),
      ask.rows('retention.grr', { ...range }, { dimensions: by, filters }),
    ])
    const faults = gross.flatMap((row): readonly Fault[] => {
      const reason = faultOf(row, net.get(keyOf(row, by))?.[0])
      if (reason === undefined) return []
      const id = keyOf(row, by)
      return [{ id, actual: numberIn(row, 'retention_rate'), message: `gross retention of ${id}: ${reason}` }]
    })
    return { count: gross.length, faults }
  },
}

const SHARED = ['start_mrr', 'contraction', 'churn'] as const

function faultOf(gross: Row, net: Row | undefined): string | undefined {
  if (net === undefined) return 'there is no net retention of this group'
  if (SHARED.some((name) => gross[name] !== net[name])) return 'net retention has another start or other losses'
  const [grr, nrr] = [numberIn(gross, 'retention_rate'), numberIn(net, 'retention_rate')]
  if ((grr === null) !== (gross['start_mrr'] === 0)) return 'a rate is null exactly if there was no MRR at the start'
  if (grr === null || nrr === null) return undefined
  if (grr < 0 || grr > 1) return `${grr} is not between 0 and 1`
  if (grr > nrr) return `${grr} is more than net retention, ${nrr}`
  if (net['expansion'] !== 0 || net['reactivation'] !== 0) return undefined
  if (grr !== nrr) return `${grr} differs from net retention, ${nrr}, and there was no gain`
  if (gross['contraction'] === 0 && gross['churn'] === 0 && grr !== 1) return `${grr} is not 1, and nothing has moved`
  return undefined
}
