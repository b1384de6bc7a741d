import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { duckdb } from '../../src/compiler/dialects/duckdb.ts'
import { Shortage } from '../../src/core/errors.ts'
import { openDuckdb } from '../../src/databases/duckdb/duckdb.ts'
import { diskShortage, duckdbShortage } from '../../src/databases/shortage.ts'
import { logBackgroundFailure } from '../../src/facades/http/failure.ts'
import type { CacheDatabase } from '../../src/ports/cache-database.ts'
import { smallCache } from '../support/product/small-cache.ts'

/** The text of DuckDB when neither its memory nor the disk has room. */
const SPILLED =
  "Out of Memory Error: failed to offload data block of size 256.0 KiB (1.6 MiB/1.7 MiB used).\nThis limit was set by the 'max_temp_directory_size' setting."
const DISK = 'The disk of the cache is full'
const TODO = 'Free space on it, or set cache.directory to a directory on a larger one.'

describe('a cache whose memory is too small', () => {
  let database: CacheDatabase
  beforeAll(async () => {
    database = await openDuckdb({ dialect: duckdb, memoryMb: 16, directory: tmpdir() })
  })
  afterAll(() => database.close())

  it('says how much it has and what to set, and goes on', async () => {
    const query = (text: string) => database.write((writer) => writer.query({ text, values: [], label: 'test' }))
    // A list has to be in memory as a whole.
    const failed = await query('select list(range) as all_of_them from range(10_000_000)').catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(Shortage)
    expect(String(failed)).toMatch(
      /^Shortage: The memory of the cache is too small \([\d.]+ \w+ of 16\.0 MiB used\)\. Raise cache\.memory_mb\.$/,
    )
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a full disk', () => {
  it.each([
    ['of data beyond the memory', duckdbShortage(new Error(SPILLED), '/data'), `${DISK} (1.6 MiB of 1.7 MiB used). ${TODO}`],
    [
      'of the file',
      duckdbShortage(new Error('IO Error: Could not write file: No space left on device'), '/data'),
      `${DISK}. ${TODO}`,
    ],
    ['of rows that come', diskShortage(Object.assign(new Error('write'), { code: 'ENOSPC' }), '/data'), `${DISK}. ${TODO}`],
  ])('%s is told from other failures, and only operators see the place', (_, shortage, text) => {
    expect(shortage?.message).toBe(text)
    expect(shortage?.operatorDetail).toBe(text.replace('The disk of the cache', 'The disk of the cache, at /data,'))
  })

  it('is not seen in errors of a database or of a statement', () => {
    for (const error of [
      new Error('Parser Error: syntax error'),
      Object.assign(new Error('gone'), { code: 'ECONNRESET' }),
      undefined,
    ])
      expect([diskShortage(error, '/data'), duckdbShortage(error, '/data')]).toEqual([undefined, undefined])
  })

  it('is the reason in the state of the cache, and a sentence in the log', async () => {
    const cache = await smallCache({
      billing: { version: 1, now: new Date('2024-05-20T12:00:00Z') },
      patience: { waitMs: 60_000, silenceMs: 60_000, retryMs: 60_000, idleMs: 60_000, sweepMs: 300_000 },
      point: async (place) => {
        if (place === 'write.append') throw duckdbShortage(new Error(SPILLED), '/data')
      },
    })
    expect(await cache.ready()).toEqual({
      status: 'failed',
      accounts: 0,
      reason: `${DISK} (1.6 MiB of 1.7 MiB used). ${TODO}`,
    })
    expect(await cache.version()).toBeNull()
    await cache.close()
    const lines: unknown[] = []
    logBackgroundFailure((level, message) => lines.push([level, message]), cache.failures[0], 'cache')
    expect(lines).toEqual([['error', `cache: ${DISK.replace('cache', 'cache, at /data,')} (1.6 MiB of 1.7 MiB used). ${TODO}`]])
  })
})
