import { expect, it } from 'vitest'
import { sharedReal } from '../support/shared-real.ts'
import { describeTargets } from '../support/targets.ts'

describeTargets('load', (target) => {
  it('loads', async () => {
    for (const round of [1, 2]) {
      const t = performance.now()
      const db = await sharedReal(target)
      process.stdout.write(`${target.name} ${round} ${Math.round(performance.now() - t)} ms\n`)
      const ex = db.executor()
      const rows = await ex.withSnapshot((s) => s.query({ text: 'select count(*) as n, min(effective_date) as d from subscription_events', values: [], label: 'x' }))
      expect(rows).toEqual([{ n: '1491', d: '2024-11-20 06:00:00' }])
      process.stdout.write(JSON.stringify([await ex.state(), await ex.writePrivileges(), ex.variant]) + '\n')
    }
  })
})
