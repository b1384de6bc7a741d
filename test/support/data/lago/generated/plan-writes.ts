import type { Dice } from '../../histories/seeded-dice.ts'
import { owned, pickOne, type Scene, SECOND, where } from './lago-scene.ts'
import { type Cells, instantText, type LagoStore, type StoredRow } from './lago-store.ts'

/** Currencies with and without decimals (L7). */
const CURRENCIES = ['USD', 'USD', 'USD', 'EUR', 'EUR', 'JPY', 'KWD']
const AMOUNTS = [0, 1_000, 1_999, 2_900, 4_999, 12_345, 100_000]
const TRIALS = [null, null, null, 0, 0.5, 7, 14, 30]
const PLANS = 14

/** The plans of an organization, with charges and fixed charges. */
export function createPlans(store: LagoStore, dice: Dice, at: number, organization: StoredRow): void {
  const scene: Scene = { store, dice, at, customer: { organization_id: organization['id'] ?? null } }
  const add_on = owned(scene, 'add_ons', { name: 'Seat', code: 'seat', amount_cents: 100, amount_currency: 'USD' })
  for (let number = 0; number < PLANS; number += 1) {
    const code = `plan-${number}`
    const plan = owned(scene, 'plans', {
      ...{ parent_id: null, code, name: `Plan ${number}`, interval: dice.pick([0, 1, 1, 1, 2, 2, 3, 4]) },
      ...{ amount_cents: dice.pick(AMOUNTS), amount_currency: dice.pick(CURRENCIES), trial_period: dice.pick(TRIALS) },
      ...{ bill_fixed_charges_monthly: dice.chance(40), bill_charges_monthly: dice.chance(50), pricing_type: 'legacy' },
      deleted_at: null,
    })
    for (let count = dice.below(3); count > 0; count -= 1)
      owned(scene, 'charges', { plan_id: plan['id'] ?? null, parent_id: null, code: `calls-${count}`, deleted_at: null })
    for (let count = dice.pick([0, 0, 1, 2]); count > 0; count -= 1) addFixedCharge(scene, plan, add_on, `seats-${count}`)
  }
  owned(scene, 'plans', {
    ...{ parent_id: null, code: 'listed', name: 'Listed', interval: null, amount_cents: null, amount_currency: 'USD' },
    ...{ trial_period: null, pricing_type: 'product_catalog', deleted_at: null },
  })
}

function addFixedCharge(scene: Scene, plan: StoredRow, add_on: StoredRow, code: string): void {
  const charge_model = scene.dice.pick(['standard', 'graduated', 'volume'])
  owned(scene, 'fixed_charges', {
    ...{ plan_id: plan['id'] ?? null, add_on_id: add_on['id'] ?? null, parent_id: null, code, charge_model },
    ...{ properties: propertiesOf(scene.dice, charge_model), deleted_at: null },
  })
}

function propertiesOf(dice: Dice, model: string): string {
  const price = () => `${dice.below(20)}.${dice.pick(['00', '5', '333'])}`
  if (model === 'standard') return JSON.stringify({ amount: price() })
  const [first, second] = [1 + dice.below(5), 8 + dice.below(5)]
  const range = (from_value: number, to_value: number | null) => ({
    ...{ from_value, to_value },
    ...{ per_unit_amount: price(), flat_amount: dice.pick(['0', '5', '2.50']) },
  })
  // Both forms of ranges: the next one begins at the last value of the one before, or after it.
  const next = dice.pick([0, 1])
  const ranges = [range(0, first), range(first + next, second), range(second + next, null)]
  return JSON.stringify(model === 'graduated' ? { graduated_ranges: ranges } : { volume_ranges: ranges })
}

/** A plan of the customer's organization that a subscription may begin with: sometimes an override, rarely one without a price. */
export function drawPlan(scene: Scene): StoredRow {
  const { store, dice, customer } = scene
  const plans = where(store, 'plans', 'organization_id', customer['organization_id']).filter((row) => row['parent_id'] === null)
  const listed = plans.filter((row) => row['code'] === 'listed')
  const plan = dice.chance(3) ? dice.pick(listed) : dice.pick(plans.filter((row) => row['code'] !== 'listed'))
  return dice.chance(15) && plan['code'] !== 'listed' ? overridden(scene, plan) : plan
}

/** A child of a plan, with copies of its charges. It may have another amount, trial and currency. */
export function overridden(scene: Scene, plan: StoredRow): StoredRow {
  const { store, dice } = scene
  const { id, created_at: _created, updated_at: _updated, ...copied } = plan
  const child = owned(scene, 'plans', {
    ...copied,
    parent_id: id ?? null,
    amount_cents: dice.pick(AMOUNTS),
    ...(dice.chance(20) && { trial_period: dice.pick(TRIALS) }),
    ...(dice.chance(10) && { amount_currency: dice.pick(CURRENCIES) }),
  })
  for (const table of ['charges', 'fixed_charges'])
    for (const charge of where(store, table, 'plan_id', id).filter((row) => row['deleted_at'] === null)) {
      const { id: parent_id, created_at: _, updated_at: _saved, ...cells } = charge
      owned(scene, table, { ...cells, parent_id: parent_id ?? null, plan_id: child['id'] ?? null })
    }
  return child
}

function pricedPlan(scene: Scene): StoredRow | undefined {
  const plans = where(scene.store, 'plans', 'organization_id', scene.customer['organization_id'])
  return pickOne(
    scene,
    plans.filter((row) => row['code'] !== 'listed'),
  )
}

/** Edits a price in place. The children that had the old amount may follow some seconds later. */
function editPrice(scene: Scene): void {
  const { store, dice, at } = scene
  const plan = pricedPlan(scene)
  if (plan === undefined) return
  const before = plan['amount_cents']
  const amount_cents = dice.pick(AMOUNTS)
  store.update('plans', at, plan, { amount_cents })
  if (dice.chance(50)) return
  for (const child of where(store, 'plans', 'parent_id', plan['id']))
    if (child['amount_cents'] === before) store.update('plans', at + 3 * SECOND, child, { amount_cents })
}

/** Saves a plan without a change of its price, so that older versions of it are lost. */
function renamePlan(scene: Scene): void {
  const plan = pricedPlan(scene)
  if (plan !== undefined) scene.store.update('plans', scene.at, plan, { name: `${plan['code']} ${scene.dice.below(1_000)}` })
}

function chargeOf(scene: Scene, table: string): StoredRow | undefined {
  const charges = where(scene.store, table, 'organization_id', scene.customer['organization_id'])
  return pickOne(
    scene,
    charges.filter((row) => row['deleted_at'] === null),
  )
}

function editFixedCharge(scene: Scene): void {
  const charge = chargeOf(scene, 'fixed_charges')
  if (charge === undefined) return
  const charge_model = scene.dice.chance(70) ? String(charge['charge_model']) : 'standard'
  const cells: Cells = { properties: propertiesOf(scene.dice, charge_model) }
  scene.store.update('fixed_charges', scene.at, charge, {
    ...cells,
    ...(charge_model !== charge['charge_model'] && { charge_model }),
  })
}

function deleteCharge(scene: Scene): void {
  const table = scene.dice.pick(['charges', 'fixed_charges'])
  const charge = chargeOf(scene, table)
  if (charge !== undefined) scene.store.update(table, scene.at, charge, { deleted_at: instantText(scene.at) })
}

function addCharge(scene: Scene): void {
  const { store, dice, customer } = scene
  const plan = pricedPlan(scene)
  const add_on = where(store, 'add_ons', 'organization_id', customer['organization_id'])[0]
  if (plan === undefined || add_on === undefined) return
  if (dice.chance(50)) addFixedCharge(scene, plan, add_on, `more-${dice.below(1_000)}`)
  else
    owned(scene, 'charges', { plan_id: plan['id'] ?? null, parent_id: null, code: `more-${dice.below(1_000)}`, deleted_at: null })
}

/** Calls about plans, which concern every customer of the plan. */
export const PLAN_WRITES = { editPrice, renamePlan, editFixedCharge, deleteCharge, addCharge }
