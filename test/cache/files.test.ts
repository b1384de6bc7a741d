import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { duckdb } from '../../src/compiler/dialects/duckdb.ts'
import { createCacheFiles } from '../../src/databases/duckdb/files.ts'

let place: string
let notices: string[]

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'plumbline-files-'))
  notices = []
})
afterEach(() => rm(place, { recursive: true }))

function filesIn(stored: string) {
  return createCacheFiles({
    stored,
    onNotice: (text) => notices.push(text),
    dialect: duckdb,
    memoryMb: 64,
    directory: tmpdir(),
  })
}

it('opens a file once in a process, also by another path', async () => {
  await mkdir(join(place, 'real'))
  await symlink(join(place, 'real'), join(place, 'link'))
  const first = filesIn(join(place, 'real', 'cache'))
  const second = filesIn(join(place, 'link', 'cache'))
  const database = await first.create({ mayRemove: true })
  await first.keepOnly(database)
  expect(await second.open({ isKept: true })).toBeNull()
  const own = await second.create({ mayRemove: true })
  expect(own.file).toBeNull()
  expect(notices).toEqual(['The cache is not stored: another process holds it.'])
  await own.close()
  await database.close()
  const again = await filesIn(join(place, 'link', 'cache')).open({ isKept: true })
  expect(again?.file).toBe(database.file)
  await again?.discard()
  expect(await readdir(join(place, 'real', 'cache'))).toEqual([])
})

it('stores the next filling after another process has closed the file', async () => {
  const [first, second] = [filesIn(place), filesIn(place)]
  const held = await first.create({ mayRemove: true })
  const meanwhile = await second.create({ mayRemove: true })
  expect(meanwhile.file).toBeNull()
  await held.close()
  const next = await second.create({ mayRemove: true })
  expect(next.file).not.toBeNull()
  expect(notices).toHaveLength(1)
  await next.discard()
  await meanwhile.close()
})

it('leaves every file as it is when it creates a database in memory', async () => {
  const files = filesIn(place)
  const stored = await files.create({ mayRemove: true })
  await stored.close()
  const own = await filesIn(place).create({ mayRemove: false })
  expect(own.file).toBeNull()
  await own.close()
  const again = await files.open({ isKept: false })
  expect(again?.file).toBe(stored.file)
  await again?.discard()
})

it('keeps its databases in memory where the directory is a link', async () => {
  await mkdir(join(place, 'real'))
  await symlink(join(place, 'real'), join(place, 'link'))
  const files = filesIn(join(place, 'link'))
  expect(await files.open({ isKept: false })).toBeNull()
  expect(notices).toEqual([expect.stringMatching(/^The cache is not stored: .* is no directory\.$/)])
  const database = await files.create({ mayRemove: true })
  expect(database.file).toBeNull()
  await database.close()
})
