import { expect, it } from 'vitest'
import { straightText } from '../../src/execution/straight.ts'

const MB = 2 ** 20
const LIMITS = { statement_timeout_ms: 30_000, session_memory_mb: 128 }
/** The tables of a level at 100,245 subscriptions (docs/performance.md). */
const MANY = { rows: 4_700_000, bytes: 1_300 * MB }

it('names the memory of the server for tables that are larger than it, on MySQL and MariaDB', () => {
  const text = straightText({ ...MANY, memory_bytes: 128 * MB }, 'mysql', LIMITS)
  expect(text).toBe(
    'A level straight from the billing database reads about 4.7 million rows (1.3 GB), which may take about 63 s. To set: ' +
      'cache.mode = "auto", which answers faster; innodb_buffer_pool_size of the server, 1.3 GB or more (now 128 MB); ' +
      'limits.statement_timeout_ms (now 30000).',
  )
})

it('names it no more once the tables fit, and then names the memory of a session once that is too small', () => {
  const fitting = { ...MANY, memory_bytes: 2_048 * MB }
  expect(straightText(fitting, 'mysql', { ...LIMITS, statement_timeout_ms: 60_000 })).toBeUndefined()
  const text = straightText({ ...fitting, rows: 12_000_000 }, 'mysql', LIMITS) ?? ''
  expect(text).toContain('limits.session_memory_mb, 512 or more (now 128)')
  expect(text).not.toContain('innodb_buffer_pool_size')
})

it('is silent up to the time limit', () => {
  const small = { rows: 200_000, bytes: 50 * MB }
  expect(straightText({ ...small, memory_bytes: MB }, 'mysql', LIMITS)).toBeUndefined()
  expect(straightText({ ...MANY, memory_bytes: null }, 'postgres', LIMITS)).toBeUndefined()
  const text = straightText({ ...MANY, memory_bytes: null }, 'postgres', { ...LIMITS, statement_timeout_ms: 10_000 })
  expect(text).toMatch(
    /about 16 s\. To set: cache\.mode = "auto", which answers faster; limits\.statement_timeout_ms \(now 10000\)\.$/,
  )
})

it('does not name a cache that there is, but says that questions wait for it', () => {
  const text = straightText({ ...MANY, memory_bytes: 128 * MB }, 'mysql', LIMITS, true) ?? ''
  expect(text).not.toContain('cache.mode')
  expect(text).toMatch(/ After the limit, a question waits until the cache is filled\.$/)
})
