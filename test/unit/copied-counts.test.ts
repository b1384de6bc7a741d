import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import type { RawTable } from '../../src/connector-kit/mirror-source.ts'
import { sql } from '../../src/connector-kit/query-runner.ts'
import { type Counted, readRows } from '../../src/mirror/copy-rows.ts'
import type { CacheWriter } from '../../src/ports/cache-database.ts'
import type { Snapshot } from '../../src/ports/snapshot.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbline-counts-'))
})
afterEach(() => rm(directory, { recursive: true }))

const TABLE: RawTable = { name: 'rows', columns: [{ name: 'a', type: 'text' }], select: () => sql`select a from rows` }

/** The result of a server for one bucket. */
interface Sent {
  readonly rows: number
  /** The rows that arrive. */
  readonly arrive?: number
  /** The number of rows that the server says that it has sent. */
  readonly said?: number | undefined
  /** Characters of each row. */
  readonly width?: number
}

/** Reads and loads one bucket after the other, as a filling does. Resolves to the buckets that were counted. */
async function fill(buckets: readonly Sent[]): Promise<readonly number[]> {
  const counted: Counted = new Map()
  const counts: number[] = []
  for (const [index, { rows, arrive = rows, width = 1, ...sent }] of buckets.entries()) {
    const snapshot: Snapshot = {
      dialect: postgres,
      query: () => Promise.reject(new Error('no statement but copies')),
      stream: () => {
        throw new Error('no statement but copies')
      },
      csv: {
        dialect: postgres,
        async write(_statement, _columns, file) {
          await writeFile(file, `${'x'.repeat(width)}\n`.repeat(arrive))
          return 'said' in sent ? sent.said : rows
        },
        async count() {
          counts.push(index)
          return rows
        },
      },
    }
    const read = await readRows(snapshot, [TABLE], { keys: [], range: { from: '1', through: '9' } }, directory, { counted })
    const load: CacheWriter['load'] = async (_table, file) => (await readFile(file, 'utf8')).split('\n').length - 1
    await read.load({ load } as CacheWriter)
  }
  return counts
}

/** A limit that cuts every result, also for the server's own number. */
const limited = (limit: number, buckets: readonly number[]): readonly Sent[] =>
  buckets.map((rows) => ({ rows, arrive: Math.min(rows, limit), said: Math.min(rows, limit) }))

describe('the rows of a filling in buckets', () => {
  it('are counted by the server where a result is larger than all before it', async () => {
    expect(await fill([{ rows: 50 }, { rows: 49 }, { rows: 0 }, { rows: 50 }, { rows: 80 }, { rows: 79 }])).toEqual([0, 3, 4])
    // A limit of size may cut fewer rows that are longer.
    expect(await fill([{ rows: 50 }, { rows: 40, width: 9 }, { rows: 40 }])).toEqual([0, 1])
  })

  it('are counted where the server does not say how many it has sent', async () => {
    expect(await fill([{ rows: 50 }, { rows: 40, said: undefined }, { rows: 30 }])).toEqual([0, 1])
  })

  it.each([
    ['the first one', [{ rows: 50, arrive: 49 }]],
    ['a smaller one', [{ rows: 50 }, { rows: 40, arrive: 39 }]],
    ['a smaller one of which nothing comes', [{ rows: 50 }, { rows: 40, arrive: 0 }]],
    ['one of which the server says that it is empty', [{ rows: 50 }, { rows: 40, said: 0 }]],
    ['one of which the server says nothing', [{ rows: 50 }, { rows: 40, arrive: 39, said: undefined }]],
  ] as const)('are refused if one is lost on the way, in %s', async (_what, buckets) => {
    await expect(fill(buckets)).rejects.toThrow(/sent \d+ of \d+ rows of "mirror.rows"/)
  })

  it.each([
    ['in the first bucket', 40, [50]],
    ['in a later one', 60, [50, 40, 70]],
    ['in one that is then as large as the largest', 50, [50, 40, 51]],
  ] as const)('are refused if a limit of the server cuts them %s', async (_where, limit, buckets) => {
    await expect(fill(limited(limit, buckets))).rejects.toThrow(/sent \d+ of \d+ rows of "mirror.rows"/)
  })
})
