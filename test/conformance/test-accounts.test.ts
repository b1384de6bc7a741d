import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/contract.ts'
import { loadReal } from '../support/data/killbill/load-killbill.ts'
import { copyOfReal } from '../support/data/killbill/recorded-database.ts'
import { describeTargets, type TestDatabase } from '../support/databases/targets.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

const TAGGED = '10 accounts carry the tag TEST'

describeTargets(
  'accounts that look like tests',
  (target) => {
    let database: TestDatabase
    let engine: Engine
    const finding = async (of = engine) => (await of.check()).find(({ name }) => name === 'test_accounts')
    const rename = (key: string, name: string, email: string) =>
      database.adminQuery(`update accounts set name = '${name}', email = '${email}' where external_key = '${key}'`)

    beforeAll(async () => {
      // Where databases are not copied, others read the shared one.
      if (target.copyOf !== undefined) database = await copyOfReal(target)
      else {
        database = await target.createDatabase()
        await loadReal(database, { tenants: ['alpha'] })
      }
      engine = await engineOver(database, { tenant: ['alpha'] })
    })
    afterAll(() => engine.close())

    // It renames accounts, which would confuse those who share the database.
    it.runIf(target.copyOf !== undefined)('are named by check unless they have the tag TEST', async () => {
      expect(await finding()).toEqual({ name: 'test_accounts', level: 'ok', message: `${TAGGED} and do not count` })
      // Words that only contain the letters are no test.
      await rename('alpha-acc-0001', 'Contest Latest Ltd', 'protest@example.com')
      expect(await finding()).toMatchObject({ level: 'ok' })
      await rename('alpha-acc-0001', 'Acme TEST', 'a@example.com')
      await rename('alpha-acc-0002', 'Acme', 'ann+test@example.com')
      expect(await finding()).toEqual({
        name: 'test_accounts',
        level: 'todo',
        message: `${TAGGED} and do not count; without the tag, these look like tests and count: alpha-acc-0001, alpha-acc-0002; tag them TEST in Kill Bill`,
        // The log names no customer.
        logged: `${TAGGED} and do not count; without the tag, 2 more look like tests and count`,
      })
    })

    it('count if the definitions say so, and check says it', async () => {
      const counting = await engineOver(database, { tenant: ['alpha'], definitions: { test_accounts: 'include' } })
      expect(await finding(counting)).toEqual({
        name: 'test_accounts',
        level: 'todo',
        message: `${TAGGED}, and they count: definitions.test_accounts is "include"`,
        setting: '[definitions]\ntest_accounts = "exclude"',
      })
      await counting.close()
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)
