import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { AttributeType } from '../../src/core/attribute.ts'
import type { Executor } from '../../src/ports/executor.ts'
import { OPERATORS } from '../../src/query/condition.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { isMember } from '../support/oracles/segment-oracle.ts'
import { emptyDatabase } from '../support/product/example-engine.ts'
import { membersOf, type TestCustomer } from '../support/product/segment-members.ts'

const LONG = 'k'.repeat(128)
const TYPES: Readonly<Record<string, AttributeType>> = {
  'a b': 'string',
  a_b: 'string',
  [LONG]: 'string',
  "it's; -- %_\\": 'string',
  '😀 seats': 'number',
  ok: 'boolean',
  since: 'timestamp',
}

const TEXTS = [
  '',
  'a',
  'A',
  'a ',
  ' a',
  'ab',
  'AB%',
  '100%',
  'x_y',
  'xzy',
  '!',
  "o'neill",
  '\\',
  '\\\\',
  '😀',
  'é',
  '"',
  'a\nb',
  '0',
  'true',
]
const NUMBERS = ['0', '-1', '1', '10', '10.5', '9.999999999', '123456789012345678', '-0.000000001']
const INSTANTS = [
  '2024-02-29 00:00:00',
  '2024-02-29 23:59:59',
  '2024-03-01 00:00:00',
  '1999-12-31 12:00:00',
  '2030-01-01 00:00:00',
]
const ASKED_INSTANTS = [
  '2024-02-29',
  '2024-03-01',
  '2024-02-29T23:59:59Z',
  '2024-03-01T00:00:00+00:00',
  '1999-12-31T12:00:00Z',
  '2030-01-01',
]

const VALUES: Readonly<Record<AttributeType, readonly (string | boolean)[]>> = {
  string: TEXTS,
  number: NUMBERS,
  boolean: [true, false],
  timestamp: INSTANTS,
}

/** Values that a condition may name: also numbers, booleans and dates as text. */
const ASKED: Readonly<Record<AttributeType, readonly unknown[]>> = {
  string: TEXTS,
  number: [...NUMBERS, 0, 10, -1, 10.5],
  boolean: [true, false, 'true', 'false'],
  timestamp: ASKED_INSTANTS,
}

const keys = Object.keys(TYPES)

const customer: fc.Arbitrary<TestCustomer> = fc
  .tuple(
    fc.option(fc.constantFrom(...TEXTS)),
    ...keys.map((key) => fc.option(fc.constantFrom(...VALUES[TYPES[key] ?? 'string']), { freq: 3 })),
  )
  .map(([name, ...cells]) => ({
    name,
    values: Object.fromEntries(keys.flatMap((key, index) => (cells[index] === null ? [] : [[key, cells[index] ?? null]]))),
  }))

const condition = fc.constantFrom(...keys, 'customer.name').chain((key) => {
  const type = TYPES[key] ?? 'string'
  const field = key === 'customer.name' ? key : `attr.${key}`
  const asked = fc.constantFrom(...ASKED[type])
  return fc.constantFrom(...OPERATORS[type]).chain((op) => {
    if (op === 'is_empty' || op === 'is_not_empty') return fc.constant<unknown>({ field, op })
    if (op === 'between') return fc.tuple(asked, asked).map((value): unknown => ({ field, op, value }))
    const value = op === 'in' || op === 'not in' ? fc.array(asked, { maxLength: 4 }) : asked
    return value.map((given): unknown => ({ field, op, value: given }))
  })
})

const { group } = fc.letrec<{ group: unknown; node: unknown }>((tie) => ({
  node: fc.oneof({ maxDepth: 3, withCrossShrink: true }, condition, tie('group')),
  group: fc.record({ op: fc.constantFrom('and', 'or'), conditions: fc.array(tie('node'), { maxLength: 4 }) }),
}))

const definition = group.map((root): unknown => ({ version: 1, root }))

oneEngineInRotation('members of a segment, compared with plain loops', (target) => {
  let executor: Executor
  beforeAll(async () => {
    executor = (await emptyDatabase(target)).executor()
  })

  async function compare(customers: readonly TestCustomer[], definitions: readonly unknown[]): Promise<void> {
    const members = await membersOf(executor, customers, TYPES, definitions)
    const expected = definitions.map((asked) => customers.flatMap((one, index) => (isMember(asked, one, TYPES) ? [index] : [])))
    const differing = definitions.flatMap((asked, index) =>
      JSON.stringify(members[index]) === JSON.stringify(expected[index])
        ? []
        : [{ asked, got: members[index], expected: expected[index] }],
    )
    expect(differing).toEqual([])
  }

  it('every operator on every type, with a value, without one and with a row that is null', async () => {
    const everyValue = keys.flatMap((key) =>
      VALUES[TYPES[key] ?? 'string'].map((cell) => ({ name: 'x', values: { [key]: cell } })),
    )
    const customers = [
      ...everyValue,
      { name: null, values: {} },
      { name: '', values: Object.fromEntries(keys.map((key) => [key, null])) },
    ]
    const definitions = keys.flatMap((key) => {
      const type = TYPES[key] ?? 'string'
      return OPERATORS[type].flatMap((op) => {
        const value = (asked: unknown) =>
          op === 'in' || op === 'not in' ? [asked] : op === 'between' ? [asked, ASKED[type].at(-1)] : asked
        const asks = op === 'is_empty' || op === 'is_not_empty' ? [{}] : ASKED[type].map((asked) => ({ value: value(asked) }))
        return asks.map((ask) => ({ root: { op: 'and', conditions: [{ field: `attr.${key}`, op, ...ask }] } }))
      })
    })
    for (let first = 0; first < definitions.length; first += 150) await compare(customers, definitions.slice(first, first + 150))
    await compare(
      customers,
      keys.flatMap((key) =>
        [
          { root: { op: 'and', conditions: [{ field: `attr.${key}`, op: 'in', value: [] }] } },
          { root: { op: 'and', conditions: [{ field: `attr.${key}`, op: 'not in', value: [] }] } },
        ].filter(() => TYPES[key] !== 'boolean'),
      ),
    )
  })

  it('any tree over any customers', async () => {
    const lists = fc.tuple(
      fc.array(customer, { minLength: 1, maxLength: 30 }),
      fc.array(definition, { minLength: 1, maxLength: 12 }),
    )
    await fc.assert(
      fc.asyncProperty(lists, ([customers, definitions]) => compare(customers, definitions)),
      { seed: 20_260, numRuns: target.name === 'pglite' ? 15 : 40, interruptAfterTimeLimit: 60_000 },
    )
  })
})
