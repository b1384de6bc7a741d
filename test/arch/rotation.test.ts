import { describe, expect, it } from 'vitest'
import { leftOut } from '../config/left-out.ts'
import { ONCE_IN_SEVEN, RESTING, wakingOf } from '../support/databases/resting.ts'
import { otherEngine, type Shares, sampleOf } from '../support/databases/rotation.ts'
import type { Target } from '../support/databases/targets.ts'
import { TURNS } from '../support/databases/turn.ts'
import { sourceFiles } from './source-tree.ts'

const turns = Array.from({ length: TURNS }, (_, turn) => turn)
const ENGINES = ['postgres', 'mariadb', 'mysql']
const FIRST = { name: 'postgres', actsAsFirst: true } as Target
const OTHER = { name: 'mariadb', actsAsFirst: false } as Target

const asked = (target: Target, cases: readonly number[], shares?: Shares) => [
  ...new Set(turns.flatMap((turn) => sampleOf(target, cases, shares, turn))),
]

describe('the turns of seven runs', () => {
  const lists = [1, 2, 3, 4, 5, 6, 7, 8, 13, 29].map((length) => Array.from({ length }, (_, index) => index))

  it('ask every case on the first engine and on the others', () => {
    for (const cases of lists)
      for (const target of [FIRST, OTHER])
        for (const shares of [
          {},
          { shift: 1 },
          { first: 1, others: 2 },
          { first: 2, others: 3 },
          { first: 7, others: 7, shift: 4 },
        ])
          expect(asked(target, cases, shares).toSorted((one, other) => one - other)).toEqual(cases)
  })

  it('take a sample in each turn, of one case at least', () => {
    for (const cases of lists)
      for (const turn of turns) {
        expect(sampleOf(FIRST, cases, {}, turn).length).toBeGreaterThanOrEqual(1)
        expect(sampleOf(FIRST, cases, {}, turn).length).toBeLessThanOrEqual(Math.max(1, Math.ceil(cases.length / 5)))
        expect(sampleOf(OTHER, cases, {}, turn).length).toBeLessThanOrEqual(Math.max(1, Math.ceil(cases.length / 7)))
      }
  })

  it('would miss cases if the share of the first engine were above seven', () => {
    expect(() => sampleOf(FIRST, turns.concat(turns), { first: TURNS + 1 }, 0)).toThrow('A share of 8')
  })

  const files = sourceFiles('test', ['.test.ts']).map(({ path }) => path)

  it('open the groups of each test file on every other engine, and mostly on the first', () => {
    for (const path of files) {
      const others = turns.map((turn) => otherEngine(ENGINES, path, turn))
      expect(new Set(others), path).toEqual(new Set([undefined, 'mariadb', 'mysql']))
      expect(others.filter((name) => name === undefined).length, path).toBeGreaterThanOrEqual(4)
    }
  })

  it('run each file that rests on every engine, and so do files that ask samples in every turn', () => {
    for (const path of RESTING) {
      expect(files).toContain(path)
      const awake = turns.filter((turn) => wakingOf(path, turn) !== 0)
      expect(awake.map((turn) => otherEngine(ENGINES, path, turn)).toSorted(), path).toEqual(['mariadb', 'mysql', undefined])
      const source = sourceFiles('test', ['.test.ts']).find((file) => file.path === path)
      expect(source?.text, `${path} would miss cases of a sample`).not.toMatch(/sampleOf|isInTurn/)
    }
    const taken = turns.flatMap((turn) =>
      ONCE_IN_SEVEN.filter((path) => !leftOut({ TEST_TURN: String(turn) }, []).includes(path)),
    )
    expect(taken.toSorted()).toEqual(ONCE_IN_SEVEN.toSorted())
    expect(files).toEqual(expect.arrayContaining([...ONCE_IN_SEVEN]))
    expect(leftOut({ TEST_TURN: '0', TEST_RELEASE: '1' }, []).filter((path) => ONCE_IN_SEVEN.includes(path))).toEqual([])
    expect(leftOut({ TEST_TURN: '0' }, ['run', '--config', 'test/config/vitest.config.ts']).length).toBeGreaterThan(
      RESTING.length / 3,
    )
    expect(leftOut({ TEST_TURN: '0' }, ['run', RESTING[0] ?? ''])).toEqual(['test/**/*.release.test.ts'])
  })

  it('share the other engines evenly among test files', () => {
    for (const turn of turns) {
      const count = (engine: string) => files.filter((path) => otherEngine(ENGINES, path, turn) === engine).length
      expect(count('mariadb') + count('mysql')).toBeGreaterThan(files.length / 5)
      expect(count('mariadb')).toBeGreaterThan(files.length / 12)
      expect(count('mysql')).toBeGreaterThan(files.length / 12)
    }
  })

  it('need another engine: with the first alone no group moves', () => {
    expect(turns.map((turn) => otherEngine(['postgres'], 'test/any.test.ts', turn))).toEqual(turns.map(() => undefined))
  })
})
