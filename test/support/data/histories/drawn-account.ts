import fc from 'fast-check'
import { PLANS } from './history-catalogs.ts'

/** Few instants, so that many coincide: exactly, just under and just over a day apart, month ends, starts of periods. */
export const INSTANTS = [
  '2024-01-10 00:00:00',
  '2024-01-10 12:00:00',
  '2024-01-31 12:00:00',
  '2024-02-15 00:00:00',
  '2024-02-29 00:00:00',
  '2024-03-01 00:00:00',
  '2024-03-15 12:00:00',
  '2024-03-16 11:59:59',
  '2024-03-16 12:00:00',
  '2024-03-17 12:00:01',
  '2024-04-10 06:00:00',
  '2024-05-01 00:00:00',
  '2024-06-01 00:00:00',
  '2024-06-01 23:59:59',
  '2024-06-15 12:00:00',
  '2024-07-01 00:00:00',
  '2024-07-01 12:00:00',
  '2024-08-01 08:00:00',
  '2024-09-30 23:59:59',
  '2024-10-01 00:00:00',
  '2024-12-31 12:00:00',
  '2025-01-01 00:00:00',
  '2025-02-01 00:00:00',
] as const

const at = fc.constantFrom(...INSTANTS)
const early = fc.constantFrom(...INSTANTS.slice(0, 10))
const usual = (weight: number) => fc.nat({ max: 99 }).map((drawn) => drawn < weight)
/** Mostly null, and a value once in `times` draws. */
const rarely = <T>(times: number, arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

/** Plans with usage come more often than their share. */
const planOf = (category: Category) => {
  const names = Object.keys(PLANS[category])
  const metered = names.filter((name) => name.startsWith('meter'))
  const any = fc.constantFrom(...names)
  return metered.length === 0
    ? any
    : fc.oneof({ weight: 3, arbitrary: any }, { weight: 1, arbitrary: fc.constantFrom(...metered) })
}

export type Category = 'BASE' | 'ADD_ON' | 'STANDALONE'

const happening = (category: Category) =>
  fc.record({
    kind: fc.oneof(
      { weight: 4, arbitrary: fc.constant('CHANGE' as const) },
      { weight: 4, arbitrary: fc.constant('PHASE' as const) },
      { weight: 3, arbitrary: fc.constant('QUANTITY_UPDATE' as const) },
      { weight: 2, arbitrary: fc.constant('CANCEL' as const) },
      {
        weight: 2,
        arbitrary: fc.constantFrom('UNCANCEL', 'UNDO_CHANGE', 'BCD_UPDATE', 'EXPIRED', 'RE_CREATE', 'MIGRATE_BILLING', 'CREATE'),
      },
    ),
    at,
    plan: planOf(category),
    list: fc.constantFrom('DEFAULT', 'DEFAULT', 'SPECIAL'),
    quantity: fc.constantFrom(-1, 0, 1, 2, 3, 7),
    is_active: usual(85),
  })

const subscription = (category: Category) =>
  fc.record({
    category: fc.constant(category),
    start: fc.oneof({ weight: 3, arbitrary: early }, { weight: 1, arbitrary: at }),
    plan: planOf(category),
    happenings: fc.array(happening(category), { maxLength: 6 }),
  })

const bundle = fc.record({
  main: fc.oneof({ weight: 4, arbitrary: subscription('BASE') }, { weight: 1, arbitrary: subscription('STANDALONE') }),
  others: fc.array(
    fc.oneof({ weight: 3, arbitrary: subscription('ADD_ON') }, { weight: 1, arbitrary: subscription('STANDALONE') }),
    { maxLength: 2 },
  ),
  /** Key shared with the account's other bundles of that sort, the older ones renamed. */
  reuses_key: usual(25),
  /** Instant at which it goes to the next account. */
  given_at: rarely(6, at),
})

const block = fc.record({
  level: fc.constantFrom('SUBSCRIPTION', 'SUBSCRIPTION_BUNDLE', 'ACCOUNT'),
  target: fc.nat({ max: 5 }),
  service: fc.constantFrom('entitlement-service', 'overdue-service', 'overdue-service', 'other'),
  block_billing: usual(60),
  at: fc.oneof({ weight: 5, arbitrary: at }, { weight: 1, arbitrary: fc.constant('2023-12-01 00:00:00') }),
  is_active: usual(90),
})

const cents = fc.integer({ min: -500, max: 9000 }).map((amount) => (amount / 100).toFixed(2))

const usage = fc.record({
  target: fc.nat({ max: 5 }),
  amount: cents,
  start: fc.constantFrom('2024-01-01', '2024-01-15', '2024-01-31', '2024-02-01', '2024-03-01', '2024-04-01', '2024-05-05'),
  months: fc.constantFrom(0, 1, 1, 1, 2, 3, 7, 14),
  adjusted: rarely(5, fc.tuple(at, cents)),
})

const invoice = fc.record({
  created: at,
  status: fc.constantFrom('COMMITTED', 'COMMITTED', 'COMMITTED', 'COMMITTED', 'VOID', 'DRAFT'),
  migrated: usual(5),
  /** `paid`: at the instant of the last payment. */
  written_off: rarely(15, fc.oneof(at, fc.constant('paid' as const))),
  drafted: rarely(6, at),
  usage: fc.array(usage, { maxLength: 3 }),
  other: fc.array(fc.tuple(fc.constantFrom('RECURRING', 'CBA_ADJ', 'CREDIT_ADJ', 'FIXED'), cents), { maxLength: 2 }),
  /** Share of the invoice's sum in percent; negative = refund. */
  payments: fc.array(
    fc.record({
      at,
      percent: fc.constantFrom(100, 100, 100, 150, 50, -100),
      status: fc.constantFrom('SUCCESS', 'SUCCESS', 'SUCCESS', 'INIT'),
    }),
    { maxLength: 3 },
  ),
})

/** One that is paid at once, for the use of one subscription: many of them are paid in any order. */
const metered = fc.tuple(invoice, usage, at).map(
  ([drawn, used, paid]): GeneratedInvoice => ({
    ...drawn,
    status: 'COMMITTED',
    migrated: false,
    usage: [{ ...used, target: 0 }],
    other: [],
    payments: [{ at: paid, percent: 100, status: 'SUCCESS' }],
  }),
)

/** One account of the history: what happens to it, before rows and keys are made of that. */
export const accountArbitrary = fc.record({
  currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR', 'EUR', 'KWD'),
  is_test: usual(5),
  bundles: fc.array(bundle, { minLength: 1, maxLength: 3 }),
  blocks: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(block, { maxLength: 7 }) }),
  invoices: fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(invoice, { minLength: 1, maxLength: 6 }) },
    { weight: 1, arbitrary: fc.array(metered, { minLength: 10, maxLength: 16 }) },
  ),
})

type Drawn<T> = T extends fc.Arbitrary<infer U> ? U : never
export type GeneratedAccount = Drawn<typeof accountArbitrary>
export type GeneratedBundle = Drawn<typeof bundle>
export type GeneratedSubscription = Drawn<ReturnType<typeof subscription>>
export type GeneratedInvoice = Drawn<typeof invoice>
