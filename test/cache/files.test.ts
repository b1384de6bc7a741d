import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
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

it('gives no name twice, so that a late write of an abandoned database reaches no other one', async () => {
  const files = filesIn(join(place, 'cache'))
  const query = (text: string) => ({ text, values: [], label: 'test' })
  const abandoned = await files.create({ mayRemove: true })
  let comeLate = () => {}
  const waited = new Promise<void>((resolve) => {
    comeLate = resolve
  })
  const late = abandoned.write(async (writer) => {
    await waited
    await writer.query(query('create table late as select 1 as a'))
  })
  // The database waits for the write in vain.
  await abandoned.discard()
  const next = await files.create({ mayRemove: true })
  await next.write((writer) => writer.query(query('create table own as select 1 as a')))
  comeLate()
  await late
  // As after a kill: the files without the end of their process.
  await cp(join(place, 'cache'), join(place, 'copy'), { recursive: true })
  await next.close()
  const found = await filesIn(join(place, 'copy')).open({ isKept: false })
  const tables = await found?.write((writer) => writer.query(query('select table_name from information_schema.tables')))
  expect(tables).toEqual([{ table_name: 'own' }])
  await found?.discard()
  expect(await readdir(join(place, 'copy'))).toEqual([])
})

it('removes a log without its file, and leaves that of a file', async () => {
  const files = filesIn(place)
  const database = await files.create({ mayRemove: true })
  await database.write((writer) => writer.query({ text: 'create table own as select 1 as a', values: [], label: 'test' }))
  const names = (await readdir(place)).sort()
  expect(names).toHaveLength(2)
  await writeFile(join(place, 'mirror-7.duckdb.wal'), 'log')
  await files.keepOnly(database)
  expect((await readdir(place)).sort()).toEqual(names)
  await database.discard()
})

it('is in memory if neither its directory nor the one for data beyond the memory can be used, and says why', async () => {
  await writeFile(join(place, 'file'), '')
  const unusable = join(place, 'file', 'cache')
  const options = { stored: unusable, onNotice: (text: string) => void notices.push(text), dialect: duckdb, memoryMb: 64 }
  const files = createCacheFiles({ ...options, directory: unusable, otherwise: place })
  expect(await files.open({ isKept: false })).toBeNull()
  const database = await files.create({ mayRemove: true })
  expect(database.file).toBeNull()
  expect(database.directory.startsWith(join(place, 'plumbline-cache-'))).toBe(true)
  expect(notices).toEqual([`The cache is not stored: ${unusable} cannot be used (ENOTDIR).`])
  await database.close()
  const nowhere = createCacheFiles({ ...options, directory: unusable, otherwise: join(place, 'file') })
  await expect(nowhere.create({ mayRemove: true })).rejects.toMatchObject({
    message:
      'The directory for data of the cache cannot be used (ENOTDIR). Set cache.directory to a directory that this user can write to.',
    operatorDetail: expect.stringContaining(join(place, 'file')),
  })
})
