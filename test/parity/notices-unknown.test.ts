import { expect, it } from 'vitest'
import { held, trap } from '../support/data/catalogs/trap-catalog.ts'
import { createRole } from '../support/databases/restricted-role.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { engineOver } from '../support/product/recorded-engine.ts'
import { trapDatabase } from '../support/product/trap-engines.ts'

interface Page {
  readonly lists: readonly { readonly kind: string; readonly count: number | null; readonly amount_base_cents: number | null }[]
}

firstEngineAndOneOther('lists of notices whose rows are not known', (target) => {
  it('have no count, and the warning has the cause', async () => {
    const isPostgres = target.dialect.name === 'postgres'
    const database = await trapDatabase(target, { all: trap({ subscriptions: { S: held('gold', '2025-12-01') } }) })
    const role = await createRole(database)
    const asked = async () => {
      const engine = await engineOver(database, {
        tenant: ['all'],
        now: new Date('2026-01-01T00:00:00Z'),
        settings: { url: role.url },
      })
      const { data, meta } = await engine.billingNotices({})
      await engine.close()
      const { lists } = data as Page
      return {
        unknown: lists.filter(({ count }) => count === null).map(({ kind, amount_base_cents }) => [kind, amount_base_cents]),
        warnings: meta.warnings.filter(({ code }) => code === 'partial').map(({ message }) => message),
      }
    }
    expect(await asked()).toEqual({ unknown: [], warnings: [] })
    const answer = (cause: string) => ({
      unknown: [['usage_not_invoiced', null]],
      warnings: [`${cause} The list usage_not_invoiced is therefore not known.`],
    })
    const either = 'The database has no rolled_up_usage, or its role may not read that.'
    await database.adminQuery(`revoke select on rolled_up_usage from ${role.grantee}`)
    expect(await asked()).toEqual(answer(isPostgres ? 'The database role may not read rolled_up_usage.' : either))
    await database.adminQuery('drop table rolled_up_usage')
    expect(await asked()).toEqual(answer(isPostgres ? 'The database has no rolled_up_usage.' : either))
    await role.drop()
  })
})
