import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Counted, readRows } from '../../src/cache/mirror/copy-rows.ts'
import { postgres } from '../../src/compiler/dialects/postgres.ts'
import type { RawTable } from '../../src/connector-kit/mirror-source.ts'
import { ident, sql } from '../../src/connector-kit/query-runner.ts'
import type { CacheWriter } from '../../src/ports/cache-database.ts'
import type { Snapshot } from '../../src/ports/snapshot.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plumbline-counts-'))
})
afterEach(() => rm(directory, { recursive: true }))

/** The result of a table in one bucket. A number is that of its rows, all of which arrive. */
interface Sent {
  readonly rows: number
  /** The rows that arrive. */
  readonly arrive?: number
  /** The number of rows that the server says that it has sent. */
  readonly said?: number | undefined
  /** Characters of each row. */
  readonly width?: number
}

/** The results of one snapshot by table. */
type Bucket = Readonly<Record<string, number | Sent>>

const tableOf = (name: string): RawTable => ({
  name,
  columns: [{ name: 'a', type: 'text' }],
  select: () => sql`select a from ${ident(name)}`,
})

/** The table of a statement's label. */
const nameIn = (label: string) => /^mirror\.(\w+)/.exec(label)?.[1] ?? ''

/** Reads and loads one bucket after the other, as a filling does. Resolves to the tables that were counted, by bucket. */
async function fill(buckets: readonly Bucket[]): Promise<readonly string[]> {
  const counted: Counted = new Map()
  const counts: string[] = []
  for (const bucket of buckets) {
    const own: string[] = []
    const sentOf = (label: string): Sent => {
      const sent = bucket[nameIn(label)] ?? 0
      return typeof sent === 'number' ? { rows: sent } : sent
    }
    const snapshot: Snapshot = {
      dialect: postgres,
      query: () => Promise.reject(new Error('no statement but copies')),
      stream: () => {
        throw new Error('no statement but copies')
      },
      csv: {
        dialect: postgres,
        async write({ label }, _columns, file) {
          const sent = sentOf(label)
          await writeFile(file, `${'x'.repeat(sent.width ?? 1)}\n`.repeat(sent.arrive ?? sent.rows))
          return 'said' in sent ? sent.said : sent.rows
        },
        async count({ label }) {
          own.push(nameIn(label))
          return sentOf(label).rows
        },
      },
    }
    const customers = { keys: [], range: { from: '1', through: '9' } }
    const read = await readRows(snapshot, Object.keys(bucket).map(tableOf), customers, directory, { counted })
    const load: CacheWriter['load'] = async (_table, file) => (await readFile(file, 'utf8')).split('\n').length - 1
    await read.load({ load } as CacheWriter)
    counts.push(own.join(' '))
  }
  return counts
}

/** A limit that cuts every result, also for the server's own number. */
const limited = (limit: number, { ...bucket }: Readonly<Record<string, number>>): Bucket =>
  Object.fromEntries(
    Object.entries(bucket).map(([name, rows]) => [name, { rows, arrive: Math.min(rows, limit), said: Math.min(rows, limit) }]),
  )

const CUT = /sent \d+ of \d+ rows of "mirror.\w+"/

describe('the rows of a filling in buckets', () => {
  it('are counted by the server in the largest result of each snapshot, and in those that are the largest of their table', async () => {
    expect(
      await fill([
        { few: 50, many: 90 },
        { few: 49, many: 80 },
        { few: 50, many: 80 },
        { few: 70, many: 80 },
        { few: 69, many: 80 },
      ]),
    ).toEqual(['many few', 'many', 'many few', 'many few', 'many'])
  })

  it('are counted where a limit of size may have cut fewer rows that are longer', async () => {
    const wide = (rows: number) => ({ rows, width: 9 })
    expect(
      await fill([
        { few: wide(50), many: 90 },
        { few: wide(10), many: 90 },
      ]),
    ).toEqual(['many few', 'many'])
    expect(
      await fill([
        { few: wide(50), many: 90 },
        { few: wide(40), many: 90 },
      ]),
    ).toEqual(['many few', 'many few'])
    // 176 bytes may be what a limit of 180 has left of it.
    expect(
      await fill([
        { few: 90, many: 90 },
        { few: 88, many: 90 },
      ]),
    ).toEqual(['few many', 'many few'])
  })

  it('are counted once where there are none, and where the server does not say how many it has sent', async () => {
    const unsaid = { rows: 40, said: undefined }
    expect(
      await fill([
        { few: 50, many: 90 },
        { few: 0, none: 0, many: 80 },
        { few: unsaid, none: 0, many: 80 },
      ]),
    ).toEqual(['many few', 'many none', 'few many'])
  })

  it.each([
    ['the first one', [{ few: { rows: 50, arrive: 49 }, many: 90 }]],
    [
      'a smaller one',
      [
        { few: 50, many: 90 },
        { few: { rows: 40, arrive: 39 }, many: 90 },
      ],
    ],
    [
      'a smaller one of which nothing comes',
      [
        { few: 50, many: 90 },
        { few: { rows: 40, arrive: 0 }, many: 90 },
      ],
    ],
    ['the first one, of which the server says that it is empty', [{ few: { rows: 40, arrive: 0, said: 0 }, many: 90 }]],
    [
      'one of which the server says nothing',
      [
        { few: 50, many: 90 },
        { few: { rows: 40, arrive: 39, said: undefined }, many: 90 },
      ],
    ],
  ] as const)('are refused if one is lost on the way, in %s', async (_what, buckets) => {
    await expect(fill(buckets)).rejects.toThrow(CUT)
  })

  it.each([
    ['of all servers, in the first bucket', [limited(40, { few: 30, many: 50 })]],
    ['of all servers, in a later bucket', [limited(60, { few: 30, many: 50 }), limited(60, { few: 40, many: 70 })]],
    ['of all servers, to the size of the largest one', [limited(50, { few: 30, many: 50 }), limited(50, { few: 51, many: 50 })]],
    ['of another server', [{ few: 50, many: 90 }, limited(60, { few: 40, many: 70 })]],
    ['of another server, in all of its results', [{ few: 50, many: 90 }, limited(20, { few: 40, many: 70 })]],
    [
      'of one table',
      [
        { few: 50, many: 90 },
        { ...limited(60, { few: 65 }), many: 90 },
      ],
    ],
  ] as const)('are refused if they are cut by a limit %s', async (_what, buckets) => {
    await expect(fill(buckets)).rejects.toThrow(CUT)
  })
})
