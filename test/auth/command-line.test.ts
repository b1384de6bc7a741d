import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SampleData } from '../../src/app/demo/sample-data.ts'
import { runProduct } from '../cli/run-product.ts'
import { recordedSample } from '../support/data/recorded-sample.ts'
import { seenInErrors, startProduct } from '../support/product/product-process.ts'

const FORM = /^pl_[A-Za-z0-9_-]{43}$/

let data: SampleData
let folder: string
let config: string

beforeAll(async () => {
  data = await recordedSample()
  folder = await mkdtemp(join(tmpdir(), 'plumbline-keys-'))
  config = join(folder, 'plumbline.toml')
  await writeFile(
    config,
    [
      `[database]\nurl = "${data.databaseUrl}"`,
      `[connector]\ntenant = "${data.tenant}"`,
      `[store]\nurl = "${data.storeUrl}"\nworkspace = "acme"`,
      '[auth]\nenabled = true',
      '[server]\nport = 0',
      // Keys are tried on figures of the database itself.
      '[cache]\nmode = "off"',
      '[log]\nformat = "json"',
    ].join('\n'),
  )
})
afterAll(async () => {
  await data.dispose()
  await rm(folder, { recursive: true })
})

const run = (...argv: string[]) => runProduct(folder, argv)
const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout)

describe('keys at the command line', () => {
  it('are made without a credential, shown once, listed and revoked', async () => {
    const made = await run('keys', 'create', 'operator', '--scope', 'admin')
    expect([made.code, made.stderr]).toEqual([0, 'The key is shown only once. Store it as a secret.\n'])
    const [key = '', about] = made.stdout.split('\n')
    expect(key).toMatch(FORM)
    expect(about).toMatch(/^operator: admin, does not expire, id [0-9a-f-]{36}$/)
    const [listed] = await json('keys', 'list')
    expect(listed).toMatchObject({ name: 'operator', key_prefix: key.slice(0, 11), scopes: ['admin'], revoked_at: null })
    const text = (await run('keys', 'list')).stdout
    expect(text).toContain('operator')
    expect(text).not.toContain(key)
    expect((await run('keys', 'revoke', listed.id)).stdout).toBe('Revoked\n')
    expect(await run('keys', 'revoke', listed.id)).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('No active key has this id'),
    })
    const { rows } = await json('audit', '--actor-id', 'command_line')
    expect(
      rows.map(({ action, actor_kind, target, outcome }: Record<string, string>) => [action, actor_kind, target, outcome]),
    ).toEqual([
      ['key.revoke', 'command_line', listed.id, 'refused'],
      ['key.revoke', 'command_line', listed.id, 'ok'],
      ['key.create', 'command_line', listed.id, 'ok'],
    ])
    expect((await run('audit', '--limit', '1')).stdout).toMatch(/key\.revoke[\s\S]*\(1 of 3 events\)/)
  })

  it('take scopes and an end', async () => {
    const end = '2999-01-31'
    const key = await json(
      'keys',
      'create',
      '--name',
      'board',
      '--scope',
      'read:aggregate',
      '--scope',
      'write',
      '--expires-at',
      end,
    )
    expect(key).toMatchObject({ scopes: ['read:aggregate', 'write'], expires_at: '2999-01-31T00:00:00.000Z' })
    expect(key.key).toMatch(FORM)
  })

  it.each([
    [['keys', 'create'], 2, 'needs exactly one name'],
    [['keys', 'create', 'one', '--name', 'two'], 2, 'needs exactly one name'],
    [
      ['keys', 'create', 'x', '--scope', 'root'],
      3,
      '"scopes" must be a list of read:aggregate, read, write or admin; got "root"',
    ],
    [['keys', 'create', 'x', '--expires-at', '2001-01-01'], 3, '"expires_at" must be an instant'],
    [['keys', 'create', 'x', '--expires-at', 'tomorrow'], 3, '"expires_at" must be an instant'],
    [['keys', 'create', ' x'], 3, 'must not begin or end with blanks'],
    [['audit', '--outcome', 'maybe'], 3, 'outcome'],
  ])('refuse %j', async (argv, code, message) => {
    expect(await run(...argv)).toMatchObject({ code, stderr: expect.stringContaining(message) })
  })
})

describe('a served process', () => {
  it('takes the keys of the command line, and refuses them once they are revoked there', async () => {
    const { key, id } = await json('keys', 'create', 'reader')
    const served = await startProduct('cli', ['serve', '--config', config])
    try {
      const url = await seenInErrors(served, /running at (\S+);/)
      const ask = (path: string, credential?: string) =>
        fetch(`${url}${path}`, credential === undefined ? {} : { headers: { authorization: `Bearer ${credential}` } })
      expect((await ask('/api/metrics/mrr')).status).toBe(401)
      expect((await ask('/healthz')).status).toBe(200)
      expect((await ask('/metrics')).status).toBe(401)
      expect((await ask('/metrics', key)).status).toBe(200)
      expect((await ask('/api/keys', key)).status).toBe(403)
      expect((await ask('/api/customers?limit=1', key)).status).toBe(200)
      await run('keys', 'revoke', id)
      expect((await ask('/api/metrics', key)).status).toBe(401)
    } finally {
      served.child.kill('SIGTERM')
      expect(await served.exit).toBe(0)
    }
    expect(served.output.stderr).not.toContain(key.slice(3))
    // The actions of its last second were written when it ended.
    const { rows } = await json('audit', '--limit', '5')
    const done = rows.map(({ action, actor_name }: Record<string, string>) => `${action} ${actor_name}`)
    expect(done.sort()).toEqual(
      [
        'credential.refused null',
        'key.revoke null',
        'personal.read reader',
        'scope.refused reader',
        'credential.refused null',
      ].sort(),
    )
    expect((await json('keys', 'list')).find((each: { id: string }) => each.id === id).last_used_at).not.toBeNull()
  })
})

describe('check', () => {
  const findings = async (...argv: string[]) =>
    ((await json('check', ...argv)) as { name: string; level: string; message: string }[]).filter(({ name }) => name === 'auth')

  it('says when nobody can sign in', async () => {
    const other = join(folder, 'other.toml')
    await writeFile(
      other,
      `[database]\nurl = "${data.databaseUrl}"\n[connector]\ntenant = "${data.tenant}"\n[store]\nurl = "sqlite:other.db"\n[auth]\nenabled = true\n`,
    )
    expect(await findings('--config', other)).toEqual([
      { name: 'auth', level: 'warning', message: expect.stringContaining('plumbline keys create <name> --scope admin') },
    ])
    expect(await findings()).toEqual([])
  })

  it('says when the issuer cannot be asked', async () => {
    const other = join(folder, 'issuer.toml')
    await writeFile(
      other,
      `[database]\nurl = "${data.databaseUrl}"\n[connector]\ntenant = "${data.tenant}"\n[store]\nurl = "sqlite:other.db"\n` +
        '[auth]\nenabled = true\noidc_issuer = "http://127.0.0.1:1"\noidc_client_id = "page"\n',
    )
    expect(await findings('--config', other)).toEqual([
      {
        name: 'auth',
        level: 'warning',
        message: expect.stringContaining('The token issuer http://127.0.0.1:1 cannot be asked'),
      },
    ])
  })
})
