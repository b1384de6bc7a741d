import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { everyEngine } from '../support/databases/rotation.ts'
import { engineOver } from '../support/product/recorded-engine.ts'

// A statement before the snapshot may have its own read-only transaction.
const isBegin = (text: string): boolean => /^(begin(?! transaction read only)|start transaction)\b/i.test(text)
const isLagReading = (text: string): boolean => /pg_is_in_recovery|slaves? status|replica status/i.test(text)

interface Customer {
  readonly id: string
  readonly external_key: string
}

everyEngine('a request that no cache answers', (target) => {
  /** Statements over the connections of the answers, and over all others. */
  const asked: string[] = []
  const beside: string[] = []
  let engine: Engine
  let customer: Customer | undefined

  beforeAll(async () => {
    const database = await sharedReal(target)
    const other = () => database.executor({ onStatement: (text) => beside.push(text) })
    engine = await engineOver(database, {
      // The small tenant is as good: nothing here depends on many rows.
      tenant: ['beta'],
      settings: { onStatement: (text) => asked.push(text) },
      reserved: { probe: other(), resources: other() },
    })
    const { data } = await engine.list('customers', { limit: '1' })
    customer = (data as { readonly rows: readonly Customer[] }).rows[0]
  })
  beforeEach(() => {
    asked.length = 0
    beside.length = 0
  })

  it.each([
    ['a metric', () => engine.query('mrr')],
    ['a metric by plan', () => engine.query('mrr', {}, { dimensions: ['plan_id'] })],
    ['the summary', () => engine.summary()],
    ['a list', () => engine.list('subscriptions', { limit: '5' })],
    ['rows', () => engine.rows.getActiveSubscriptions('2025-06-01')],
    ['a customer by account id', () => engine.customer(customer?.id ?? '')],
    ['a customer by external key', () => engine.customer(customer?.external_key ?? '')],
  ])('%s takes one snapshot on one connection, and the lag is read before it begins', async (_name, ask) => {
    await ask()
    expect(asked.filter(isBegin)).toHaveLength(1)
    expect(asked.filter(isLagReading)).toHaveLength(1)
    expect(asked.findIndex(isLagReading)).toBeLessThan(asked.findIndex(isBegin))
    expect(beside).toEqual([])
  })

  it('of a customer that nobody is, too', async () => {
    await expect(engine.customer('nobody')).rejects.toMatchObject({ code: 'not_found' })
    expect(asked.filter(isBegin)).toHaveLength(1)
    expect(beside).toEqual([])
  })
})
