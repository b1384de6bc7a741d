import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSecretBox } from '../../src/workspace/store/secret-box.ts'
import { givenKey, keyFile, noKey } from '../../src/workspace/store/secret-key.ts'

const TOKENS = { access_token: 'a-token', refresh_token: 'r-token' }
const key = () => randomBytes(32).toString('base64')

describe('secret box', () => {
  it('opens what it sealed, in the same place only, and shows nothing', async () => {
    const box = createSecretBox(givenKey(key()))
    const sealed = await box.seal(TOKENS, 'source a')
    expect(sealed).not.toMatch(/token/)
    expect(Buffer.from(sealed.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toMatch(/token/)
    expect(await box.open(sealed, 'source a')).toEqual(TOKENS)
    expect(await box.open(sealed, 'source b')).toBeUndefined()
    expect(await box.seal(TOKENS, 'source a')).not.toBe(sealed)
  })

  it('opens nothing with another key, nor what was changed', async () => {
    const box = createSecretBox(givenKey(key()))
    const sealed = await box.seal(TOKENS, 'a')
    expect(await createSecretBox(givenKey(key())).open(sealed, 'a')).toBeUndefined()
    const parts = sealed.split('.')
    parts[3] = `${parts[3]?.startsWith('A') ? 'B' : 'A'}${parts[3]?.slice(1)}`
    expect(await box.open(parts.join('.'), 'a')).toBeUndefined()
    expect(await box.open('nonsense', 'a')).toBeUndefined()
  })

  it('refuses to seal without a key, and says what to set', async () => {
    const box = createSecretBox(noKey())
    await expect(box.seal(TOKENS, 'a')).rejects.toMatchObject({
      code: 'unsupported_by_connector',
      context: { missing: ['store.secret_key'] },
    })
    expect(await box.open('x.y.z', 'a')).toBeUndefined()
  })
})

describe('key file', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'plumbline-key-'))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  it('is made once by those who make it at once, for its owner only', async () => {
    const path = join(directory, 'store.db.key')
    expect(await keyFile(path).present()).toBeUndefined()
    const keys = await Promise.all(Array.from({ length: 20 }, () => keyFile(path).wanted()))
    const [first] = keys
    expect(keys.every((each) => Buffer.from(each).equals(Buffer.from(first ?? [])))).toBe(true)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(Buffer.from((await readFile(path, 'utf8')).trim(), 'base64')).toEqual(first)
    expect(await readdir(directory)).toEqual(['store.db.key'])
  })

  it('is refused when it holds no key', async () => {
    const path = join(directory, 'broken.key')
    await writeFile(path, 'short\n')
    await expect(keyFile(path).present()).rejects.toMatchObject({ code: 'connector_unavailable' })
  })
})
