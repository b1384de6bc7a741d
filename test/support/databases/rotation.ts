/**
 * A usual run asks a sample of like cases. It takes a turn from 0 to 6 (`turn.ts`), and the turn chooses cases and engines:
 *
 * - `everyEngine` opens a group on each engine, `firstEngineAndOneOther` on the first engine and, in every third turn, on another one.
 * - `oneEngineInRotation` opens a group on one engine: in every third turn on another one than the first. That engine gets the first's share.
 * - The path of the test file decides in which turns and on which other engine, so all groups of a file move together.
 * - Some files rest in four turns of seven, and run once on each engine in the others (`test/support/databases/resting.ts`).
 * - `sampleOf` picks every fifth case for the first engine and every seventh for the others. A group may name other shares.
 *
 * Turns 0 to 6 therefore ask every case, and open every group on every engine. `test/arch/rotation.test.ts` shows this. The usual shares are
 * odd, so that a test may vary something in every second case. Every metric runs on every engine in every turn: see `conformance`,
 * the worked examples and `parity/byte-equal`.
 */
import { relative } from 'node:path'
import { expect, inject } from 'vitest'
import { placeOf, wakingOf } from './resting.ts'
import { describeOn, engines, isFirst, type Target, type TargetName } from './targets.ts'
import { TURNS } from './turn.ts'

/** A group is opened on another engine in every third turn. */
const TURNS_PER_OTHER = 3

const ROOT = new URL('../../..', import.meta.url).pathname

export interface Shares {
  /** The first engine gets each `first`th case, by default every fifth. */
  readonly first?: number
  /** Every other engine gets each `others`th: `parity/byte-equal` shows that engines answer alike. */
  readonly others?: number
  /** Moves the choice. Lists that are cut alike cover each other's gaps if their shifts differ by one. */
  readonly shift?: number
}

interface Narrowed {
  /** The engines that the cases are about. */
  readonly only?: readonly TargetName[]
}

/** The cases of a list that are in turn on an engine, at least one. */
export function sampleOf<T>(
  target: Target,
  cases: readonly T[],
  { first = 5, others = 7, shift = 0 }: Shares = {},
  turn = inject('turn'),
): readonly T[] {
  const share = Math.min(isFirst(target) ? first : others, cases.length)
  if (isFirst(target) && share > TURNS)
    throw new Error(`A share of ${share} leaves out cases in every turn; allowed are 1 to ${TURNS}`)
  return cases.filter((_, index) => isInTurn(index + shift, share, turn))
}

/** Whether a case is in turn, if each `share`th is asked. */
export function isInTurn(index: number, share: number, turn = inject('turn')): boolean {
  return index % share === turn % share
}

/** One `describe` for each engine at hand. PGlite, which is PostgreSQL, replaces a PostgreSQL server that is missing. */
export function everyEngine(name: string, define: (target: Target) => void): void {
  describeOn(engines(), name, define)
}

/** One `describe` on one engine. It gets the cases of the first engine. */
export function oneEngineInRotation(name: string, define: (target: Target) => void, { only }: Narrowed = {}): void {
  const possible = engines().filter((target) => only === undefined || only.includes(target.name))
  const other = otherEngine(engines(), pathOfTest())
  const chosen = possible.find((target) => target.name === other?.name) ?? possible[0]
  describeOn(chosen === undefined ? [] : [{ ...chosen, actsAsFirst: true }], name, define)
}

/** One `describe` on the first engine and, in every third turn, one on another engine. */
export function firstEngineAndOneOther(name: string, define: (target: Target) => void, { only }: Narrowed = {}): void {
  const other = otherEngine(engines(), pathOfTest())
  const chosen = engines().filter((target) => isFirst(target) || target.name === other?.name)
  describeOn(
    chosen.filter((target) => only === undefined || only.includes(target.name)),
    name,
    define,
  )
}

/** The number of earlier turns in which the groups of this file were opened on another engine, to vary what they ask there. */
export function roundOfOtherEngines(): number {
  return Math.floor(inject('turn') / TURNS_PER_OTHER)
}

/** The other engine on which the groups of a test file are opened in a turn; undefined in two turns of three. */
export function otherEngine<T>(all: readonly T[], path: string, turn = inject('turn')): T | undefined {
  const others = all.slice(1)
  const waking = wakingOf(path, turn)
  // In the first of its turns the file runs on the first engine alone.
  if (waking !== undefined) return waking < 2 ? undefined : others[waking % others.length]
  const place = placeOf(path)
  return isInTurn(place, TURNS_PER_OTHER, turn) ? others[(place + turn) % others.length] : undefined
}

/** The path of the test file that is being read, relative to the project. */
function pathOfTest(): string {
  const { testPath } = expect.getState()
  if (testPath === undefined) throw new Error('No test file is being read')
  return relative(ROOT, testPath)
}
