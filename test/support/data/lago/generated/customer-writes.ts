import type { Dice } from '../../histories/seeded-dice.ts'
import { own, owned, pickOne, type Scene, subscriptionsIn } from './lago-scene.ts'
import { instantText, type LagoStore, type StoredRow } from './lago-store.ts'

const ZONES = [null, null, '', 'Europe/Paris', 'America/Los_Angeles', 'Asia/Kolkata']
const COUNTRIES = [null, 'DE', 'US', 'JP']
const ATTRIBUTES = ['tier', 'seats']
const ACTIVE = 1
const TERMINATED = 2

/** A customer of an organization. Customers of other organizations have the same external ids. */
export function createCustomer(store: LagoStore, dice: Dice, at: number, entity: StoredRow, number: number): StoredRow {
  return store.insert('customers', at, {
    ...{ organization_id: entity['organization_id'] ?? null, billing_entity_id: entity['id'] ?? null },
    ...{
      external_id: `customer-${number}`,
      name: dice.chance(80) ? `Customer ${number}` : null,
      firstname: 'Ada',
      lastname: null,
    },
    ...{ country: dice.pick(COUNTRIES), timezone: dice.pick(ZONES), currency: dice.pick([null, 'USD', 'EUR']), deleted_at: null },
    account_type: dice.chance(5) ? 'partner' : 'customer',
    payment_provider: dice.chance(50) ? 'stripe' : null,
  })
}

function edit({ store, dice, at, customer }: Scene): void {
  const cells = dice.pick([
    { name: `Customer ${dice.below(1_000)}` },
    { country: dice.pick(COUNTRIES) },
    { timezone: dice.pick(ZONES) },
    { payment_provider: dice.pick([null, 'stripe']) },
  ])
  store.update('customers', at, customer, cells)
}

function setAttribute(scene: Scene): void {
  const { store, dice, at, customer } = scene
  const key = dice.pick(ATTRIBUTES)
  const value = dice.pick(['gold', 'silver', '7', 'Zoë'])
  const known = own(scene, 'customer_metadata').find((row) => row['key'] === key)
  if (known === undefined) owned(scene, 'customer_metadata', { customer_id: customer['id'] ?? null, key, value })
  else store.update('customer_metadata', at, known, { value })
}

/** Removes a row and leaves no trace of it. */
function removeAttribute(scene: Scene): void {
  const row = pickOne(scene, own(scene, 'customer_metadata'))
  if (row !== undefined) scene.store.remove('customer_metadata', row)
}

/** Live subscriptions end some seconds after the customer. */
function deleteCustomer(scene: Scene): void {
  const { store, dice, at, customer } = scene
  if (customer['deleted_at'] !== null || !dice.chance(25)) return
  store.update('customers', at, customer, { deleted_at: instantText(at) })
  for (const [index, row] of subscriptionsIn(scene, ACTIVE).entries()) {
    const ended = at + 2_345 * (index + 1)
    store.update('subscriptions', ended, row, { status: TERMINATED, terminated_at: instantText(ended) })
  }
}

export const CUSTOMER_WRITES = { edit, setAttribute, setAttributeAgain: setAttribute, removeAttribute, deleteCustomer }
