import { fileURLToPath } from 'node:url'
import { TURNS, turnOfRun } from '../support/databases/turn.ts'
import { ONCE_IN_SEVEN, RESTING, wakingOf } from '../support/databases/resting.ts'

/** Tests that take minutes together, such as those that kill processes or wait for time limits (docs/decisions.md 101). */
const RELEASE_ONLY = 'test/**/*.release.test.ts'
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The files that a run leaves out: those that rest in its turn, and those for a release. None of the first if files are named, none of the second if TEST_RELEASE is set. */
export function leftOut(environment: Readonly<Record<string, string | undefined>>, words: readonly string[]): string[] {
  const { turn } = turnOfRun(environment, ROOT)
  const areNamed = words.some((word) => word.startsWith('test/') && !word.endsWith('.config.ts'))
  const isRelease = environment['TEST_RELEASE'] !== undefined
  const resting = [
    ...RESTING.filter((path) => wakingOf(path, turn) === 0),
    ...(isRelease ? [] : ONCE_IN_SEVEN.filter((_, place) => place % TURNS !== turn)),
  ]
  return [...(areNamed ? [] : resting), ...(isRelease ? [] : [RELEASE_ONLY])]
}
