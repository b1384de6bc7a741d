import { spawnSync } from 'node:child_process'

/** The number of turns. A run takes one, and seven runs with different turns cover every case. */
export const TURNS = 7

export interface Turn {
  readonly turn: number
  /** The line that a run prints at its end. */
  readonly line: string
}

/**
 * The turn of a run, from 0 to 6: `TEST_TURN` if it is set, otherwise the number of commits modulo 7. It is 0 without git, as in a packed
 * source tree. It is also 0 in a shallow clone, where git counts only the commits of the clone.
 */
export function turnOfRun(environment: Readonly<Record<string, string | undefined>>, folder: string): Turn {
  const given = environment['TEST_TURN']
  if (given !== undefined && given !== '') {
    if (!/^[0-6]$/.test(given)) throw new Error(`TEST_TURN is ${JSON.stringify(given)}; allowed are 0 to ${TURNS - 1}`)
    return described(Number(given), 'from TEST_TURN')
  }
  const git = (...args: string[]) => spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).stdout?.trim() ?? ''
  const isShallow = git('rev-parse', '--is-shallow-repository') === 'true'
  const commits = isShallow ? '' : git('rev-list', '--count', 'HEAD')
  if (commits !== '') return described(Number(commits) % TURNS, `from ${commits} commits`)
  return described(0, isShallow ? 'a shallow clone' : 'git gives no number of commits')
}

function described(turn: number, origin: string): Turn {
  return { turn, line: `Turn ${turn} of ${TURNS} (${origin}): repeat with TEST_TURN=${turn}` }
}
