import { describe, expect, it } from 'vitest'
import { attributeKeysIn, checkSegmentDefinition, problemText } from '../../src/query/segment-check.ts'
import { resolvedNamesOf } from '../support/product/segment-members.ts'

const VOCABULARY = resolvedNamesOf({ tier: 'string', seats: 'number' })
const problemsOf = (definition: unknown) => checkSegmentDefinition(definition, VOCABULARY).problems.map(problemText)
const root = (...conditions: readonly unknown[]) => ({ root: { op: 'and', conditions } })
const gold = { field: 'attr.tier', op: '=', value: 'gold' }

function nested(depth: number): unknown {
  return depth === 1 ? { op: 'and', conditions: [gold] } : { op: 'or', conditions: [nested(depth - 1)] }
}

describe('the check of a segment (http-api.md 6.1 to 6.3)', () => {
  it.each([
    [null, ['definition: a definition is an object with "root"']],
    [[], ['definition: a definition is an object with "root"']],
    [{}, ['root: a group {op, conditions} is missing']],
    [{ version: 2, name: 'x', ...root(gold) }, ['name: unknown field "name"', 'version: the only version is 1']],
    [{ root: { op: 'not', conditions: [] } }, ['root: "op" of a group is "and" or "or", not "not"']],
    [{ root: { op: 'and' } }, ['root: "conditions" is a list']],
    [
      root(7, { op: 'or' }),
      [
        'root.conditions[0]: a group {op, conditions} or a condition {field, op, value}',
        'root.conditions[1]: "conditions" is a list',
      ],
    ],
    [root({ op: '=', value: 1 }), ['root.conditions[0]: "field" is the name of a field']],
    [root({ field: 'attr.tier' }), ['root.conditions[0]: unknown operator (missing)']],
    [root({ ...gold, extra: 1 }), ['root.conditions[0]: unknown field "extra" of a condition']],
    [root({ field: 'attr.tier', op: 'is_empty', value: true }), ['root.conditions[0]: "is_empty" takes no value']],
    [root({ field: 'attr.tier', op: 'in', value: 'gold' }), ['root.conditions[0]: "in" must have a list; got "gold"']],
    [
      root({ field: 'attr.seats', op: 'between', value: [1] }),
      ['root.conditions[0]: "between" must have a list of two values; got [1]'],
    ],
    [root({ field: 'attr.seats', op: '=', value: 'many' }), ['root.conditions[0]: "attr.seats" must be a number; got "many"']],
    [
      root({ field: 'attr.nope', op: 'between', value: 3 }),
      ['root.conditions[0]: unknown attribute "nope"', 'root.conditions[0]: "between" must have a list of two values; got 3'],
    ],
    [
      root({ op: 'or', conditions: [gold, { field: 'movement_type', op: '=', value: 'new' }] }),
      ['root.conditions[0].conditions[1]: unknown field "movement_type"'],
    ],
  ])('%j', (definition, expected) => {
    expect(problemsOf(definition).map((text) => text.replace(/; did you mean.*$/, ''))).toEqual(expected)
  })

  it('only names that nobody has are unresolved; the rest is wrong in itself', () => {
    const { problems } = checkSegmentDefinition(
      root({ field: 'attr.nope', op: '~' }, { field: 'plan', op: '=', value: 'x' }),
      VOCABULARY,
    )
    expect(problems.map(({ code, isUnresolved }) => [code, isUnresolved])).toEqual([
      ['invalid_operator', false],
      ['unknown_attribute', true],
      ['unknown_filter', true],
    ])
  })

  it('twenty groups deep and two hundred conditions, no more', () => {
    expect(problemsOf({ root: nested(20) })).toEqual([])
    expect(problemsOf({ root: nested(21) })).toEqual([expect.stringContaining('groups may be nested 20 deep at most')])
    expect(problemsOf(root(...Array.from({ length: 200 }, () => gold)))).toEqual([])
    expect(problemsOf(root(...Array.from({ length: 201 }, () => gold)))).toEqual(['root: 201 conditions; the limit is 200'])
    const spread = { op: 'or', conditions: Array.from({ length: 101 }, () => gold) }
    expect(problemsOf(root(spread, spread))).toEqual(['root: 202 conditions; the limit is 200'])
    expect(problemsOf(root({ field: 'attr.seats', op: 'in', value: Array.from({ length: 10_001 }, () => 1) }))).toHaveLength(1)
  })

  it('keys of attributes are found at every place', () => {
    const inner = { op: 'or', conditions: [{ field: 'attr.a b', op: '=' }, { field: 'plan_id' }] }
    expect(attributeKeysIn(root(gold, inner))).toEqual(['tier', 'a b'])
    expect([null, 'x', { root: 3 }].flatMap((odd) => attributeKeysIn(odd))).toEqual([])
  })
})
