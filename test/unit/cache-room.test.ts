import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { roomFinding } from '../../src/app/cache-room.ts'
import { createBudget, NoRoom, projectedNeed } from '../../src/cache/mirror/budget.ts'
import { bytesText, freeDiskBytes, machineMemory } from '../../src/core/machine-room.ts'
import { memoryRoomOf } from '../../src/databases/duckdb/room.ts'
import type { CacheRoom } from '../../src/ports/cache-database.ts'

const GB = 1_024 ** 3
const CUSTOMERS = 1_000_000
const BUCKET = 10_000

function room(taken: number, free: number, place: CacheRoom['place'] = 'file'): CacheRoom {
  return { place, directory: '/data', taken, free }
}

/** Fills a disk with rows of `bytesAt` for each customer. The share of the customers before the stop, and the share of the disk that is left then. */
function stoppedAt(
  disk: number,
  bytesAt: (share: number) => number,
  noise: (bucket: number) => number = () => 0,
  place: CacheRoom['place'] = 'file',
) {
  const budget = createBudget('the filling', CUSTOMERS)
  let taken = 0
  let share = 0
  try {
    budget.begin(room(0, disk))
    for (let customers = BUCKET; customers < CUSTOMERS; customers += BUCKET) {
      share = customers / CUSTOMERS
      taken += BUCKET * bytesAt(share)
      if (taken > disk) return { share, left: 0 }
      budget.advance(room(taken + noise(customers / BUCKET), disk - taken, place), customers)
    }
    return 'filled'
  } catch (error) {
    expect(error).toBeInstanceOf(NoRoom)
    return { share, left: (disk - taken) / disk }
  }
}

describe('the need of the rest', () => {
  const points = [1, 2, 3, 4].map((bucket) => ({ customers: bucket * 10, taken: 100 + bucket * 50 }))

  it('follows the growth of the later half', () => {
    expect(projectedNeed(points, 100)).toBe(60 * 5)
    // From 30 to 60 customers, 75 more.
    const slower = [...points, { customers: 50, taken: 310 }, { customers: 60, taken: 325 }]
    expect(projectedNeed(slower, 100)).toBe(40 * 2.5)
    expect(projectedNeed(points.slice(0, 2), 100)).toBe(80 * 5)
  })

  it('is unknown before there is growth to measure, and never below zero', () => {
    expect([projectedNeed([], 100), projectedNeed(points.slice(0, 1), 100)]).toEqual([undefined, undefined])
    expect(projectedNeed([...points, { customers: 50, taken: 10 }], 100)).toBe(0)
  })
})

describe('a filling of a million customers with 2,000 bytes each', () => {
  const need = CUSTOMERS * 2_000
  const even = () => 2_000

  it('is stopped long before the disk is full', () => {
    const at = (part: number) => stoppedAt(part * need, even)
    // A tenth of the customers shows it. With much less room, the first growth does.
    expect(at(0.3)).toMatchObject({ share: 0.1 })
    expect(stoppedAt(0.4 * need, () => 5 * even())).toMatchObject({ share: 0.02 })
    for (const part of [0.5, 0.6, 0.75, 0.9]) {
      const stopped = at(part)
      if (stopped === 'filled') throw new Error(`${part} of the need is no room`)
      expect(stopped.share).toBeLessThan(part)
      expect(stopped.left).toBeGreaterThan(0.03)
    }
  })

  it('is never stopped if it fits, also if the first customers have most rows or tables of a moment count', () => {
    const aging = (share: number) => 4_000 * (1 - share)
    const growing = (share: number) => 4_000 * share
    const exponential = (share: number) => -2_000 * Math.log(share)
    for (const bytesAt of [even, aging, growing, exponential]) expect(stoppedAt(need * 1.03, bytesAt)).toBe('filled')
    const noise = (bucket: number) => [0, 60_000_000, 20_000_000, 100_000_000][bucket % 4] ?? 0
    expect(stoppedAt(need * 1.03, even, noise, 'memory')).toBe('filled')
    expect(stoppedAt(need / 2, even, noise, 'memory')).toMatchObject({ share: expect.closeTo(0.35, 1) })
  })

  it('begins only with room for the least that it takes, or for a quarter of the file before it', () => {
    const begin = (free: number, earlier?: CacheRoom) => () =>
      createBudget('the filling', CUSTOMERS).begin(room(0, free), earlier)
    expect(begin(0.05 * GB)).toThrow('the filling needs about 95.4 MiB more, and 51.2 MiB are free.')
    expect(begin(0.1 * GB)).not.toThrow()
    expect(begin(0.4 * GB, room(2 * GB, 0))).toThrow('the filling needs about 2.0 GiB more, and 409.6 MiB are free.')
    expect(begin(0.6 * GB, room(2 * GB, 0))).not.toThrow()
    expect(begin(0.4 * GB, room(2 * GB, 0, 'memory'))).not.toThrow()
  })

  it('says which setting to change', () => {
    const textOf = (place: CacheRoom['place']) => new NoRoom(room(0, GB, place), 'the filling', 3 * GB)
    const figures = 'is too small: the filling needs about 3.0 GiB more, and 1.0 GiB are free.'
    expect(textOf('file').operatorDetail).toContain(`The disk of the cache, at /data, ${figures}`)
    expect(textOf('memory').message).toMatch(/Raise cache\.memory_mb, set cache\.directory .* or set cache\.mode to off\.$/)
    expect(textOf('machine').message).toBe(
      `The memory of this machine ${figures} Lower cache.memory_mb, so that the rest goes to the disk, or set cache.mode to off.`,
    )
  })
})

describe('the room in memory', () => {
  const figures = { memory: GB, spilled: 2 * GB, limit: 4 * GB, machine: 16 * GB, resident: 2 * GB, freeDisk: 10 * GB }

  it('has what the limit leaves, and most of the disk', () => {
    expect(memoryRoomOf(figures)).toEqual({ place: 'memory', taken: 3 * GB, free: 3 * GB + 9 * GB })
    expect(memoryRoomOf({ ...figures, memory: 5 * GB, resident: 6 * GB }).free).toBe(9 * GB)
  })

  it('is that of the machine if it has less than the limit', () => {
    // One gibibyte is taken by everything else.
    expect(memoryRoomOf({ ...figures, machine: 4 * GB })).toEqual({ place: 'machine', taken: 3 * GB, free: 2 * GB })
    expect(memoryRoomOf({ ...figures, machine: GB }).free).toBe(0)
  })
})

describe('the finding of check', () => {
  const disk = { directory: '/data', free: 20 * GB }

  it('tells memory and disk', () => {
    expect(roomFinding(1_024, { bytes: 4 * GB, of: 'machine' }, disk)).toEqual({
      name: 'cache',
      level: 'ok',
      message:
        'may take 1.0 GiB of the memory of this machine (4.0 GiB), and data beyond it goes to disk; 20.0 GiB are free at /data',
    })
    expect(roomFinding(1_024, { bytes: GB, of: 'machine' }, { ...disk, free: null }).message).not.toContain('/data')
  })

  it('warns about a limit above the memory, with the setting', () => {
    expect(roomFinding(8_192, { bytes: 2 * GB, of: 'container' }, disk)).toEqual({
      name: 'cache',
      level: 'warning',
      message:
        'cache.memory_mb lets the cache take 8.0 GiB, and this container has 2.0 GiB: the system may end the process. Lower cache.memory_mb',
      setting: '[cache]\nmemory_mb = 1024',
    })
    expect(roomFinding(512, { bytes: GB / 10, of: 'container' }, disk).setting).toBe('[cache]\nmemory_mb = 64')
  })
})

it('reads the free disk of a directory that does not exist yet, and the memory', async () => {
  const free = (await freeDiskBytes(join(tmpdir(), 'not', 'there'))) ?? 0
  expect(free).toBeGreaterThan(0)
  expect(free).toBeCloseTo((await freeDiskBytes(tmpdir())) ?? 0, -9)
  expect(machineMemory().bytes).toBeGreaterThan(process.memoryUsage.rss())
  expect([bytesText(512), bytesText(1_536), bytesText(5 * GB), bytesText(3_000 * GB)]).toEqual([
    '0.5 KiB',
    '1.5 KiB',
    '5.0 GiB',
    '2.9 TiB',
  ])
})
