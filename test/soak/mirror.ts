import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { databaseWriter } from '../support/data/histories/database-writer.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory } from '../support/data/histories/generated-history.ts'
import { type Begun, beginRandomWrite, SHARED_WRITES } from '../support/data/histories/random-writes.ts'
import { DAY, type Dice, dice, later } from '../support/data/histories/seeded-dice.ts'
import { mysqlTarget } from '../support/databases/target-mysql.ts'
import { findPlaces } from '../support/databases/target-places.ts'
import { postgresTarget } from '../support/databases/target-postgres.ts'
import type { Target, TestDatabase } from '../support/databases/test-database.ts'
import { type Held, heldDifferences, type Moment, soakedCache } from '../support/product/held-rows.ts'
import { TSX } from '../support/product/product-command.ts'
import type { KeeperAnswer, KeeperRequest } from './mirror-keeper.ts'
import { PATIENCE } from './patience.ts'

const USAGE = `The billing engine writes round after round. A stored cache follows in another process, which is stopped and killed in between, also while it
refreshes or fills. After some rounds each row that it holds is compared with those of a new filling. Ends at the first difference.
  --rounds 10000            rounds for each database
  --every 3                 rounds between comparisons
  --seed 1                  of the history and of all draws
  --accounts 24
  --targets postgres,mariadb
`
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10000' },
    every: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    accounts: { type: 'string', default: '24' },
    targets: { type: 'string', default: 'postgres,mariadb' },
    help: { type: 'boolean', default: false },
  },
})
const [ROUNDS, EVERY, SEED, ACCOUNTS] = [values.rounds, values.every, values.seed, values.accounts].map(Number) as [
  number,
  number,
  number,
  number,
]
const START = '2024-05-20 12:00:00'
const KEEPER = fileURLToPath(new URL('mirror-keeper.ts', import.meta.url))
/** A refresh takes up to this long, so a kill within it hits any of its steps. */
const KILL_WITHIN_MS = 500
const REPORT_EVERY = 200
const MOST_OPEN = 5
/** InnoDB locks the gaps next to a row too. */
const LOCK_WAIT = 'ER_LOCK_WAIT_TIMEOUT'

const out = (line: string): void => void process.stdout.write(`${line}\n`)

if (values.help) process.stdout.write(USAGE)
else await main()

async function main(): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: where the servers are
  const { places, stop } = await findPlaces(process.env)
  try {
    for (const name of values.targets.split(',')) {
      const place = places.find((each) => each.name === name)
      if (place === undefined) throw new Error(`no server for ${name}`)
      await soak(place.name === 'postgres' ? postgresTarget(place.url) : mysqlTarget(name as 'mysql' | 'mariadb', place.url))
    }
  } finally {
    await stop()
  }
}

/** Counts of what a run has done. */
interface Done {
  writes: number
  open: number
  /** Writes that waited in vain for an open transaction. */
  lock_waits: number
  comparisons: number
  rows: number
  stopped: number
  killed: number
  killed_at_work: number
  older_copies: number
  /** Starts of the keeper from a stored cache, without a new filling. */
  restored: number
  fillings: number
}

async function soak(target: Target): Promise<void> {
  const { database, tables } = await fillDatabase(target, generatedHistory(SEED, ACCOUNTS))
  const writer = databaseWriter(database, tables)
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-soak-'))
  const draw = dice(SEED)
  const open: Begun[] = []
  const done: Done = {
    writes: 0,
    open: 0,
    lock_waits: 0,
    comparisons: 0,
    rows: 0,
    stopped: 0,
    killed: 0,
    killed_at_work: 0,
    older_copies: 0,
    restored: 0,
    fillings: 0,
  }
  const keeper = createKeeper(database, directory, done)
  let moment: Moment = { now: START, seconds: 0 }
  const began = performance.now()
  const report = (round: number): void =>
    out(
      `${target.name}, seed ${SEED}: ${round} rounds in ${Math.round((performance.now() - began) / 1000)} s: ${JSON.stringify(done)}`,
    )
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const wrote = await write(round)
      moment = passed(draw, moment, open.length > 0)
      await disturb(draw, keeper, moment, done)
      if (round % EVERY === 0) {
        const kept = await keeper.held(moment)
        const filled = await newlyFilled(database, moment, done)
        const difference = heldDifferences(['kept', kept.tables], ['filled', filled.tables])
        if (difference !== undefined)
          throw new Error(`${target.name}, seed ${SEED}, round ${round}, after ${wrote}, at ${moment.now}: ${difference}`)
        done.comparisons += 1
      }
      if (round % REPORT_EVERY === 0) report(round)
    }
    report(ROUNDS)
  } finally {
    await keeper.end('stop')
    for (const transaction of open) await transaction.rollback()
    await writer.close()
    await database.drop()
    await rm(directory, { recursive: true, force: true })
  }

  /** One to three transactions, some of which stay open for rounds and end in any order. */
  async function write(round: number): Promise<string> {
    const names: string[] = []
    for (let count = draw.below(3); count >= 0; count -= 1) {
      const begun = await begin()
      done.writes += 1
      const staysOpen = draw.chance(20) && open.length < MOST_OPEN && !SHARED_WRITES.includes(begun.name)
      if (staysOpen) {
        open.push(begun)
        done.open += 1
      } else await begun.commit()
      names.push(staysOpen ? `${begun.name} (open)` : begun.name)
    }
    const isLast = round === ROUNDS
    if (open.length > 0 && (isLast || draw.chance(25))) {
      const [ended] = open.splice(draw.below(open.length), 1)
      const word = draw.chance(80) ? 'commit' : 'rollback'
      await ended?.[word]()
      names.push(`${word} of ${ended?.name}`)
    }
    return names.join(', ')
  }

  /** Begins a write. If it waits in vain for a transaction that is open, all of these are committed, and another one begins. */
  async function begin(): Promise<Begun> {
    for (;;) {
      try {
        return await beginRandomWrite(writer, draw, moment.now)
      } catch (error) {
        if (open.length === 0 || (error as { code?: unknown }).code !== LOCK_WAIT) throw error
        for (const transaction of open.splice(0)) await transaction.commit()
        done.lock_waits += 1
      }
    }
  }
}

/** A later moment. No transaction that is open has become older than the longest of an engine. */
function passed(draw: Dice, { now, seconds }: Moment, isOpen: boolean): Moment {
  return {
    now: draw.chance(25) ? later(now, draw.pick([1, 1, 3_600, DAY, DAY, 5 * DAY, 17 * DAY])) : now,
    // Where the server does not report transactions, one counts as ended after a day.
    seconds: seconds + (draw.chance(20) ? (isOpen ? 100 : 2 * DAY) : 1),
  }
}

/** Stops or kills the keeper now and then. It starts again with the next question. */
async function disturb(draw: Dice, keeper: Keeper, moment: Moment, done: Done): Promise<void> {
  const kind = draw.below(200)
  if (kind < 3) {
    await keeper.end('stop')
    done.stopped += 1
    const files = draw.pick(['copied', 'put back', 'kept'])
    if (files === 'copied') await keeper.keepCopy()
    if (files === 'put back' && (await keeper.useCopy())) done.older_copies += 1
  } else if (kind < 6) {
    await keeper.end('kill')
    done.killed += 1
  } else if (kind < 12) {
    // Without the stored files, it is killed in the middle of a filling.
    if (kind === 6) await keeper.forget()
    await keeper.killAtWork(moment, draw.below(KILL_WITHIN_MS))
    done.killed_at_work += 1
  }
}

interface Keeper {
  held(moment: Moment): Promise<Held>
  /** Asks, and kills it that many milliseconds later. */
  killAtWork(moment: Moment, milliseconds: number): Promise<void>
  end(how: 'stop' | 'kill'): Promise<void>
  /** Removes the stored files of a keeper that has ended. */
  forget(): Promise<void>
  /** Copies the stored files of a keeper that has ended, and puts the copy in their place later. False if there is none. */
  keepCopy(): Promise<void>
  useCopy(): Promise<boolean>
}

function createKeeper(database: TestDatabase, directory: string, done: Done): Keeper {
  const [stored, copy] = [join(directory, 'stored'), join(directory, 'copy')]
  let child: ChildProcess | undefined
  let starts = 0
  let filledAt: string | undefined
  const ask = async (request: KeeperRequest): Promise<ChildProcess> => {
    if (child === undefined) {
      starts += 1
      child = fork(KEEPER, [database.url, stored, `keeper ${starts}`], { execArgv: ['--import', TSX], serialization: 'advanced' })
      await once(child, 'message')
    }
    child.send(request)
    return child
  }
  const end = async (how: 'stop' | 'kill'): Promise<void> => {
    const ending = child
    if (ending === undefined) return
    child = undefined
    if (ending.exitCode !== null || ending.signalCode !== null) return
    const ended = once(ending, 'exit')
    if (how === 'kill') ending.kill('SIGKILL')
    else ending.send({} satisfies KeeperRequest)
    await ended
  }
  return {
    async held(moment) {
      const isNew = child === undefined
      const running = await ask({ moment })
      const answered = new AbortController()
      const { signal } = answered
      const { held, failures, error } = await Promise.race([
        once(running, 'message', { signal }).then(([message]) => message as KeeperAnswer),
        once(running, 'exit', { signal }).then(([code]): KeeperAnswer => ({ error: `the keeper ended with ${String(code)}` })),
      ])
      answered.abort()
      if (held === undefined) throw new Error(error)
      if (failures?.length) throw new Error(`the cache failed: ${failures.join('; ')}`)
      if (held.filled_at !== filledAt) done.fillings += 1
      else if (isNew) done.restored += 1
      filledAt = held.filled_at
      return held
    },
    async killAtWork(moment, milliseconds) {
      await ask({ moment })
      await setTimeout(milliseconds)
      await end('kill')
    },
    end,
    async forget() {
      await end('stop')
      await rm(stored, { recursive: true, force: true })
    },
    async keepCopy() {
      await end('stop')
      await rm(copy, { recursive: true, force: true })
      await cp(stored, copy, { recursive: true, force: true })
    },
    async useCopy() {
      await end('stop')
      if ((await readdir(copy).catch(() => [])).length === 0) return false
      await rm(stored, { recursive: true, force: true })
      await cp(copy, stored, { recursive: true })
      return true
    },
  }
}

async function newlyFilled(database: TestDatabase, moment: Moment, done: Done): Promise<Held> {
  const { cache, held } = soakedCache(database.executor({ poolSize: 2 }), 'filled anew', null, undefined, { patience: PATIENCE })
  try {
    const filled = await held(moment)
    done.rows += Object.values(filled.tables).reduce((sum, lines) => sum + lines.length, 0)
    return filled
  } finally {
    await cache.close()
  }
}
