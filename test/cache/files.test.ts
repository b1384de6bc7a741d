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
  const database = await first.create()
  await first.keepOnly(database)
  expect(await second.open({ isKept: true })).toBeNull()
  expect(notices).toEqual(['The cache is not stored: another process holds it.'])
  const own = await second.create()
  expect(own.file).toBeNull()
  await own.close()
  await database.close()
  const again = await filesIn(join(place, 'link', 'cache')).open({ isKept: true })
  expect(again?.file).toBe(database.file)
  await again?.discard()
  expect(await readdir(join(place, 'real', 'cache'))).toEqual([])
})

it('keeps its databases in memory where the directory is a link', async () => {
  await mkdir(join(place, 'real'))
  await symlink(join(place, 'real'), join(place, 'link'))
  const files = filesIn(join(place, 'link'))
  expect(await files.open({ isKept: false })).toBeNull()
  expect(notices).toEqual([expect.stringMatching(/^The cache is not stored: .* is no directory\.$/)])
  const database = await files.create()
  expect(database.file).toBeNull()
  await database.close()
})
