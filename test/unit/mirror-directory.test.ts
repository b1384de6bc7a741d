import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ConfigInputs, loadConfig } from '../../src/app/config/config.ts'
import { mirrorDirectory, spillDirectory } from '../../src/app/config/mirror-directory.ts'
import { sampleConfig } from '../../src/app/demo/sample-config.ts'
import { makePrivateDirectory, privacyProblem } from '../../src/core/private-directory.ts'

const URL = 'postgres://reader:first@db.example.com/kb'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plumbline-mirror-'))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

type Options = NonNullable<ConfigInputs['options']>

function load(options: Options, inputs: Partial<ConfigInputs> = {}) {
  return loadConfig({
    environment: {},
    cwd: root,
    home: join(root, 'home'),
    options: { 'database.url': URL, ...options },
    ...inputs,
  })
}

function placeOf(options: Options, inputs: Partial<ConfigInputs> = {}): string | null {
  return mirrorDirectory(load(options, inputs))
}

function baseOf(options: Options, inputs: Partial<ConfigInputs> = {}): string {
  return dirname(placeOf(options, inputs) ?? '')
}

describe('the directory of a cache', () => {
  it('is next to an embedded store', () => {
    expect(baseOf({})).toBe(join(root, 'plumbline-data', 'store.db.cache'))
    expect(baseOf({ 'store.url': 'sqlite:mine.db' })).toBe(join(root, 'mine.db.cache'))
  })

  it('is in the cache directory of the user with a store on a server and without a store', () => {
    for (const url of ['none', 'postgres://writer@db/plumbline']) {
      expect(baseOf({ 'store.url': url })).toBe(join(root, 'home', '.cache', 'plumbline'))
      const environment = { XDG_CACHE_HOME: join(root, 'caches') }
      expect(baseOf({ 'store.url': url }, { environment })).toBe(join(root, 'caches', 'plumbline'))
      // A relative path there is ignored.
      expect(baseOf({ 'store.url': url }, { environment: { XDG_CACHE_HOME: 'caches' } })).toBe(
        join(root, 'home', '.cache', 'plumbline'),
      )
    }
  })

  it('is where the configuration says, from the directory of the file', () => {
    expect(baseOf({ 'cache.directory': '/var/cache/plumbline' })).toBe('/var/cache/plumbline')
    mkdirSync(join(root, 'etc'))
    writeFileSync(join(root, 'etc', 'plumbline.toml'), '[cache]\ndirectory = "cache"\n')
    expect(baseOf({}, { config: join(root, 'etc', 'plumbline.toml') })).toBe(join(root, 'etc', 'cache'))
  })

  it('is nowhere for embedded databases, for the demo, with mode off, with none, and without a home directory', () => {
    const demo = sampleConfig({
      databaseUrl: `pglite:${root}/b`,
      storeUrl: `sqlite:${root}/s`,
      tenant: 'a',
      now: '2026-01-01T00:00:00Z',
    })
    expect(mirrorDirectory(demo)).toBeNull()
    expect(placeOf({ 'database.url': 'pglite:./billing', 'cache.mode': 'on' })).toBeNull()
    expect(placeOf({ 'cache.mode': 'off' })).toBeNull()
    expect(placeOf({ 'cache.directory': 'none' })).toBeNull()
    expect(placeOf({ 'store.url': 'none' }, { home: undefined })).toBeNull()
  })

  it('leaves data beyond the memory in the temporary directory unless one is named', () => {
    expect(spillDirectory(load({}))).toBe(tmpdir())
    expect(spillDirectory(load({ 'cache.directory': 'none' }))).toBe(tmpdir())
    expect(spillDirectory(load({ 'cache.directory': '/var/cache/plumbline' }))).toBe('/var/cache/plumbline')
  })

  it('differs by database, user, schema, connector settings and fixed clock, but not by password, encryption and definitions', () => {
    const first = placeOf({})
    const others: readonly Options[] = [
      { 'database.url': 'postgres://reader:first@db.example.com/other' },
      { 'database.url': 'postgres://reader:first@db2.example.com/kb' },
      { 'database.url': 'postgres://reader:first@db.example.com:5433/kb' },
      { 'database.url': 'postgres://other:first@db.example.com/kb' },
      { 'database.url': 'postgres://reader:first@db.example.com/kb?options=-csearch_path%3Dother' },
      { 'database.url': 'mysql://reader:first@db.example.com/kb' },
      { 'database.schema': 'killbill' },
      { 'connector.tenant': ['acme'] },
      { 'connector.tenant': ['acme', 'other'] },
      { 'clock.now': '2026-01-01T00:00:00Z' },
    ]
    const places = [first, ...others.map((options) => placeOf(options))]
    expect(new Set(places).size).toBe(others.length + 1)
    const same: readonly Options[] = [
      { 'database.url': 'postgresql://reader:second@DB.example.com:5432/kb?sslmode=require' },
      { 'definitions.base_currency': 'EUR', 'server.port': '1', 'limits.pool_size': '9' },
    ]
    for (const options of same) expect(placeOf(options)).toBe(first)
  })

  it('does not depend on a password in the address of a catalog', () => {
    const at = (password: string) => placeOf({ 'connector.catalog': [`https://me:${password}@example.com/catalog.xml`] })
    expect(at('first')).toBe(at('second'))
    expect(at('first')).not.toBe(placeOf({}))
  })
})

describe.skipIf(process.platform === 'win32')('a private directory', () => {
  it('is created with its parents, and closed if it was open', async () => {
    const path = join(root, 'a', 'b')
    expect(await makePrivateDirectory(path)).toEqual({ wasWritable: false })
    expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(await privacyProblem(path)).toBeUndefined()
    chmodSync(path, 0o2770)
    expect(await privacyProblem(path)).toMatch(/open to other users/)
    expect(await makePrivateDirectory(path)).toEqual({ wasWritable: true })
    expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(await makePrivateDirectory(path)).toEqual({ wasWritable: false })
  })

  it('is refused behind a link, in place of a file, and where nothing can be created', async () => {
    const link = join(root, 'link')
    symlinkSync(root, link)
    expect((await makePrivateDirectory(link)).problem).toMatch(/no directory/)
    expect(await privacyProblem(link)).toMatch(/symbolic link/)
    const file = join(root, 'file')
    writeFileSync(file, '')
    expect((await makePrivateDirectory(file)).problem).toMatch(/EEXIST/)
    expect((await makePrivateDirectory(join(file, 'below'))).problem).toMatch(/ENOTDIR/)
    expect(await privacyProblem(join(root, 'missing'))).toMatch(/ENOENT/)
    expect(existsSync(join(root, 'missing'))).toBe(false)
  })
})
