import { expect, it } from 'vitest'
import { CHECKS } from '../../src/trust/verify/list.ts'
import { checkOf } from '../../src/trust/verify/parts.ts'
import { HISTORIES } from '../support/data/histories/history-seeds.ts'
import { describeIdentities } from '../support/product/identity-cases.ts'
import { checkIdentity, IDENTITIES } from '../support/product/verified-identities.ts'

const SEED = HISTORIES.identities_of_money[0] + 100

/** How often there was something to be wrong about. */
const compared = new Map<string, number>(IDENTITIES.map(({ name }) => [name, 0]))

describeIdentities('the checks of verify', HISTORIES.identities_of_money, (caseOf) => {
  it.each(IDENTITIES.map((identity, index) => ({ identity, index })))('$identity.name', async ({ identity, index }) => {
    const count = await checkIdentity(identity, caseOf(), SEED + index)
    compared.set(identity.name, (compared.get(identity.name) ?? 0) + count)
  })
})

it('none of them held for want of data, and all are checks of the product', () => {
  expect([...compared].filter(([, count]) => count === 0)).toEqual([])
  const names = CHECKS.map(({ name }) => name)
  expect(IDENTITIES.map((identity) => checkOf(identity).name).filter((name) => !names.includes(name))).toEqual([])
})
