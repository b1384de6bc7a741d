import { DAY, HOUR, isPast, own, owned, pickOne, type Scene, SECOND, subscriptionsIn, where, whole } from './lago-scene.ts'
import { type Cells, instantOf, instantText, type StoredRow } from './lago-store.ts'
import { drawPlan, overridden } from './plan-writes.ts'

const [PENDING, ACTIVE, TERMINATED, CANCELED, GATED] = [0, 1, 2, 3, 4] as const
/** External ids of a customer. Other customers have some of them too. */
const KEYS = 3

/** A row of `subscriptions`, with the first units of its fixed charges if it begins. */
function addRow(scene: Scene, plan: StoredRow, cells: Cells): StoredRow {
  const row = owned(scene, 'subscriptions', {
    ...{ customer_id: scene.customer['id'] ?? null, plan_id: plan['id'] ?? null, previous_subscription_id: null },
    ...{ subscription_at: instantText(scene.at), started_at: null, activated_at: null, ending_at: null, terminated_at: null },
    ...{ canceled_at: null, on_termination_invoice: 'generate' },
    ...cells,
  })
  if (row['started_at'] !== null) addFirstUnits(scene, row)
  return row
}

/** The engine stamps the first units one second after the start. */
function addFirstUnits(scene: Scene, row: StoredRow): void {
  for (const charge of where(scene.store, 'fixed_charges', 'plan_id', row['plan_id'])) {
    if (charge['deleted_at'] !== null || scene.dice.chance(15)) continue
    addUnits(scene, row, charge, instantOf(row['started_at']) + SECOND)
  }
}

function addUnits(scene: Scene, row: StoredRow, charge: StoredRow, stamp: number): void {
  owned(scene, 'fixed_charge_events', {
    ...{ subscription_id: row['id'] ?? null, fixed_charge_id: charge['id'] ?? null, timestamp: instantText(stamp) },
    ...{ units: scene.dice.pick([0, 1, 2, 5, '8.75', 13, 40]), deleted_at: null },
  })
}

function start(scene: Scene): void {
  const { dice, at, customer } = scene
  const external_id = `${customer['external_id']}-${dice.below(KEYS)}`.replace(/^customer-\d*(\d)-/, 'key-$1-')
  const line = own(scene, 'subscriptions').filter((row) => row['external_id'] === external_id)
  if (line.some(({ status }) => status === PENDING || status === ACTIVE || status === GATED)) return
  const plan = drawPlan(scene)
  const common: Cells = { external_id, ...(dice.chance(20) && { ending_at: instantText(at + dice.below(200) * DAY) }) }
  const kind = dice.pick(['now', 'now', 'now', 'back', 'back', 'future', 'gated'])
  if (kind === 'now') addRow(scene, plan, { ...common, status: ACTIVE, started_at: instantText(at) })
  else if (kind === 'back') addRow(scene, plan, { ...common, status: ACTIVE, ...backdated(scene, line) })
  else if (kind === 'future')
    addRow(scene, plan, { ...common, status: PENDING, subscription_at: instantText(at + dice.below(40) * DAY) })
  else addRow(scene, plan, { ...common, status: GATED, started_at: instantText(at) })
}

/** The start of a row is moved to the end of the last one, unless that one was ended without an invoice. */
function backdated({ dice, at }: Scene, line: readonly StoredRow[]): Cells {
  const wanted = at - (1 + dice.below(40)) * DAY
  const last = line
    .filter((row) => row['status'] === TERMINATED)
    .sort((a, b) => instantOf(a['terminated_at']) - instantOf(b['terminated_at']))
    .at(-1)
  const isMoved = last !== undefined && last['on_termination_invoice'] !== 'skip' && instantOf(last['terminated_at']) > wanted
  const started_at = isMoved ? (last['terminated_at'] ?? null) : instantText(wanted)
  return { started_at, subscription_at: started_at }
}

/** A gated start is paid or fails. A gated upgrade leaves the old row in force until then. */
function settleGate(scene: Scene): void {
  const { store, dice, at } = scene
  const row = pickOne(scene, subscriptionsIn(scene, GATED))
  if (row === undefined) return
  const isPaid = dice.chance(60)
  const outcome: Cells = isPaid
    ? { status: ACTIVE, activated_at: instantText(at) }
    : { status: CANCELED, canceled_at: instantText(at) }
  store.update('subscriptions', at, row, outcome)
  if (!isPaid) return
  const before = where(store, 'subscriptions', 'id', row['previous_subscription_id'])[0]
  if (before?.['status'] === ACTIVE) end(scene, before, at)
}

function end({ store, at }: Scene, row: StoredRow, terminated: number, more: Cells = {}): void {
  store.update('subscriptions', at, row, { status: TERMINATED, terminated_at: instantText(terminated), ...more })
}

/** The new row begins some milliseconds before the old one ends. */
function upgrade(scene: Scene): void {
  const { dice, at } = scene
  const row = pickOne(scene, subscriptionsIn(scene, ACTIVE))
  if (row === undefined) return
  callOff(scene, row)
  const cells = { external_id: row['external_id'] ?? null, previous_subscription_id: row['id'] ?? null }
  if (dice.chance(15)) return void addRow(scene, drawPlan(scene), { ...cells, status: GATED, started_at: instantText(at) })
  const begun = dice.chance(30) ? whole(at) + 998 : at
  const next = addRow(scene, drawPlan(scene), { ...cells, status: ACTIVE, started_at: instantText(begun) })
  end(scene, row, begun + dice.below(6))
  if (!dice.chance(15)) return
  // A second upgrade within the second.
  const again = { ...scene, at: at + 300 }
  addRow(again, drawPlan(again), {
    ...{ external_id: row['external_id'] ?? null, previous_subscription_id: next['id'] ?? null },
    ...{ status: ACTIVE, started_at: instantText(begun + 300) },
  })
  end(again, next, begun + 302)
}

function planDowngrade(scene: Scene): void {
  const row = pickOne(scene, subscriptionsIn(scene, ACTIVE))
  if (row === undefined) return
  callOff(scene, row)
  addRow(scene, drawPlan(scene), {
    ...{ external_id: row['external_id'] ?? null, previous_subscription_id: row['id'] ?? null, status: PENDING },
  })
}

/** On the billing day, planned downgrades and starts happen. A downgrade changes both rows at one whole second. */
function billingDay(scene: Scene): void {
  const { store } = scene
  const row = pickOne(scene, subscriptionsIn(scene, PENDING))
  if (row === undefined) return
  const at = whole(scene.at)
  const before = where(store, 'subscriptions', 'id', row['previous_subscription_id'])[0]
  if (before === undefined && !isPast(scene, row['subscription_at'])) return
  store.update('subscriptions', scene.at, row, { status: ACTIVE, started_at: instantText(at) })
  addFirstUnits(scene, row)
  if (before?.['status'] === ACTIVE) end(scene, before, at)
}

function callOff(scene: Scene, row: StoredRow): void {
  for (const waiting of where(scene.store, 'subscriptions', 'previous_subscription_id', row['id']))
    if (waiting['status'] === PENDING || waiting['status'] === GATED)
      scene.store.update('subscriptions', scene.at, waiting, { status: CANCELED, canceled_at: instantText(scene.at) })
}

function changeMind(scene: Scene): void {
  const row = pickOne(scene, subscriptionsIn(scene, PENDING))
  if (row !== undefined)
    scene.store.update('subscriptions', scene.at, row, { status: CANCELED, canceled_at: instantText(scene.at) })
}

function terminate(scene: Scene): void {
  const row = pickOne(scene, subscriptionsIn(scene, ACTIVE))
  if (row === undefined) return
  callOff(scene, row)
  end(scene, row, scene.at, scene.dice.chance(30) ? { on_termination_invoice: 'skip' } : {})
}

/** An hourly job ends a row on the local day of its planned end: mostly before the planned instant. */
function expire(scene: Scene): void {
  const row = pickOne(
    scene,
    subscriptionsIn(scene, ACTIVE).filter((one) => isPast(scene, one['ending_at'])),
  )
  if (row === undefined) return
  const ended = instantOf(row['ending_at']) - scene.dice.below(20) * HOUR
  end(scene, row, Math.max(ended, instantOf(row['started_at']) + HOUR))
}

/** The first override of a running row rewrites its plan, the next one edits the child's amount. */
function override(scene: Scene): void {
  const { store, dice, at } = scene
  const row = pickOne(scene, subscriptionsIn(scene, ACTIVE))
  const plan = where(store, 'plans', 'id', row?.['plan_id'])[0]
  if (row === undefined || plan === undefined || plan['code'] === 'listed') return
  if (plan['parent_id'] === null) store.update('subscriptions', at, row, { plan_id: overridden(scene, plan)['id'] ?? null })
  else store.update('plans', at, plan, { amount_cents: dice.pick([1_500, 3_300, 7_777]) })
}

/** Units change at once, or from the next period on. After an override, the parent's fixed charge may still be named. */
function changeUnits(scene: Scene): void {
  const { store, dice, at } = scene
  const row = pickOne(scene, subscriptionsIn(scene, ACTIVE))
  if (row === undefined) return
  const own = where(store, 'fixed_charges', 'plan_id', row['plan_id'])
  const parents = own.flatMap((charge) => where(store, 'fixed_charges', 'id', charge['parent_id']))
  const charge = pickOne(scene, [...own, ...parents])
  if (charge !== undefined) addUnits(scene, row, charge, dice.chance(70) ? at : at + dice.below(35) * DAY + 999)
}

/** Two starts and two upgrades for each other call, so that rows follow each other often. */
export const SUBSCRIPTION_WRITES = {
  ...{
    start,
    startAgain: start,
    settleGate,
    upgrade,
    upgradeAgain: upgrade,
    planDowngrade,
    billingDay,
    billingDayAgain: billingDay,
  },
  ...{ changeMind, terminate, expire, override, changeUnits },
}
