import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPTIONS as DEFINITIONS } from '../../src/core/definitions.ts'
import { LEDGER_DEFINITIONS } from '../../src/core/ledger-options.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { OPTIONS, optionOf, parameterOf } from '../../src/facades/cli/options.ts'
import { whereOnCommandLine } from '../../src/facades/cli/output.ts'
import { whereInQuery } from '../../src/facades/presentation/parameters.ts'
import { rawRequest } from '../../src/facades/presentation/raw-request.ts'
import { mustBe, oneOf } from '../../src/query/issues.ts'
import { ALL_PARAMETERS, PARAMETERS, parameterNamed } from '../../src/query/parameters.ts'
import { QUERY_PARAMETERS, RESERVED_FILTERS, SPEC_FIELDS } from '../../src/query/places.ts'
import { STAGED_PARAMETERS } from '../../src/query/staged-parameters.ts'

/** The value at a place of a request. */
function valueAt(request: object, place: string): unknown {
  return place.split('.').reduce((value: unknown, field) => (value as Record<string, unknown> | undefined)?.[field], request)
}

describe('the table of parameters', () => {
  it('has each under its own name, with an option that nothing else has', () => {
    expect(ALL_PARAMETERS.map(({ name }) => name)).toEqual(Object.keys(PARAMETERS))
    const options = ALL_PARAMETERS.flatMap(({ option }) => option?.name ?? [])
    expect(new Set(options).size).toBe(options.length)
    expect(new Set(ALL_PARAMETERS.map(({ places }) => places[0])).size).toBe(ALL_PARAMETERS.length)
    expect(STAGED_PARAMETERS.filter((name) => parameterNamed(name) !== undefined)).toEqual([])
    for (const name of ['constructor', '__proto__']) expect(parameterNamed(name)).toBeUndefined()
  })

  it('says what a body may hold (http-api.md 2)', () => {
    expect([...SPEC_FIELDS].sort()).toEqual(['compare', 'dimensions', 'filters', 'granularity', 'segment', 'time_range'])
    expect(RESERVED_FILTERS).toEqual(['__segment_id__', '__compare_segment_ids__'])
    expect(QUERY_PARAMETERS).toContain('segment')
    expect(QUERY_PARAMETERS).not.toContain('compare_segments')
    expect(QUERY_PARAMETERS).toEqual(expect.arrayContaining(['order', 'limit', 'offset']))
    expect(QUERY_PARAMETERS).not.toContain('search')
  })

  it.each(ALL_PARAMETERS.map((parameter) => [parameter.name, parameter] as const))(
    '%s is found where issues name it',
    (name, parameter) => {
      const { places, wire, type, option, description } = parameter
      const [place] = places
      expect(valueAt(rawRequest([[name, 'a=b']]), place)).toEqual(
        wire === 'pairs' ? { a: 'b' } : type.isCollection ? ['a=b'] : 'a=b',
      )
      expect(whereInQuery(place)).toBe(`query.${name}`)
      expect(whereInQuery(`${place}.x`)).toBe(place.startsWith('spec.') ? `query.${name}` : `query.${name}.x`)
      expect(description).toMatch(/\w/)
      expect(type.words).toMatch(/\w/)
      if (option === undefined) return
      expect(whereOnCommandLine(place)).toBe(`--${option.name}`)
      expect(optionOf(name)).toBe(option.name)
      expect(OPTIONS.get(option.name)).toMatchObject({ description: option.description, valueHint: option.hint })
      expect(OPTIONS.get(option.name)?.repeatable === true).toBe(wire !== 'once')
    },
  )

  it('a range in the spec is named by its first day', () => {
    expect(whereInQuery('spec.time_range')).toBe('query.start')
    expect(whereOnCommandLine('spec.time_range')).toBe('--start')
  })

  it('the options of the command line alone give no parameter', () => {
    for (const option of ['format', 'config', 'help', 'version'] as const) expect(parameterOf(option)).toBeUndefined()
    expect(whereOnCommandLine('params.format')).toBe('--format')
  })
})

it('the guide lists the options that exist (definitions.md 15), and these are the names that are refused with a reason', () => {
  const guide = readFileSync(join(packageRoot(), 'docs', 'definitions.md'), 'utf8')
  const section = /^## 15\. Options$.*?^\*\*D64/ms.exec(guide)?.[0] ?? ''
  const listed = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(listed.sort()).toEqual(DEFINITIONS.map(({ key }) => key).sort())
  // Options of the ledger are parameters, too.
  expect([...STAGED_PARAMETERS].sort()).toEqual(listed.filter((name = '') => parameterNamed(name) === undefined))
  expect(listed.filter((name = '') => parameterNamed(name) !== undefined)).toEqual(Object.keys(LEDGER_DEFINITIONS).sort())
})

it('the names of one body are different: parameters, and names that are refused with a reason', () => {
  const names = [...QUERY_PARAMETERS, ...STAGED_PARAMETERS]
  expect(new Set(names).size).toBe(names.length)
})

describe('words of messages', () => {
  it('a choice', () => {
    expect(oneOf(['a', 'b', 'c'])).toBe('a, b or c')
    expect(oneOf(['a'])).toBe('a')
    expect(oneOf([])).toBe('nothing')
  })

  it.each([
    ['text', '"text"'],
    [null, 'null'],
    [undefined, 'nothing'],
    [7n, '7'],
    [{ a: [1] }, '{"a":[1]}'],
  ])('value %#: it is shown as JSON', (given, shown) => {
    expect(mustBe('x', 'a day', given)).toBe(`"x" must be a day; got ${shown}.`)
  })
})
