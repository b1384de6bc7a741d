import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import { sharedReal } from '../support/data/killbill/recorded-database.ts'
import { firstEngineAndOneOther, isInTurn } from '../support/databases/rotation.ts'
import { type StorePlace, storePlace } from '../support/databases/store-places.ts'
import { isFirst } from '../support/databases/targets.ts'
import { allOf } from '../support/product/store-with-segments.ts'
import { runProduct } from './run-product.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const NOBODY = '00000000-0000-4000-8000-000000000000'
const FIRST = 'alpha-acc-0001'
const SECOND = 'alpha-acc-0002'

const GOLD = allOf({ field: 'attr.level', op: '=', value: 'gold' })
const OTHERS = allOf({ field: 'attr.level', op: 'is_empty' })
const MISSPELT = allOf({ field: 'plan_id', op: '=', value: 'pro-montly' })
const SHAPELESS = { root: { op: 'xor', conditions: [{ field: 'attr.level', op: '~' }, 7] } }

firstEngineAndOneOther(
  'segments and attributes on the command line',
  (target) => {
    let folder: string
    let place: StorePlace
    let environment: Record<string, string>
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'plumbline-cli-'))
      place = await storePlace(isFirst(target) && isInTurn(0, 2) ? 'sqlite' : target.name)
      environment = {
        PLUMBLINE_DATABASE_URL: (await sharedReal(target)).url,
        PLUMBLINE_CONNECTOR_TENANT: 'alpha',
        PLUMBLINE_NOW: '2026-11-20T23:59:59Z',
        PLUMBLINE_STORE_URL: place.url,
        PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
      }
      const files = { 'gold.json': GOLD, 'others.json': OTHERS, 'shapeless.json': SHAPELESS, 'misspelt.json': MISSPELT }
      for (const [name, definition] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(definition))
      await writeFile(join(folder, 'broken.json'), '{"root": ')
    })
    afterAll(async () => {
      await place.remove()
      await rm(folder, { recursive: true, force: true })
    })

    const run = (...argv: readonly string[]) => runProduct(folder, argv, environment)
    const json = async (...argv: readonly string[]) => {
      const { code, stdout, stderr } = await run(...argv, '--format', 'json')
      return { code, body: JSON.parse(code === 0 ? stdout : stderr), nothing: code === 0 ? stderr : stdout }
    }
    const file = (name: string) => ['--file', join(folder, name)]
    const create = async (name: string, definition: string): Promise<string> =>
      (await json('segments', 'create', '--name', name, ...file(definition))).body.id

    describe('attributes', () => {
      it('set infers a type and keeps it; the value is then there, and not written twice', async () => {
        expect(await json('attributes', 'set', FIRST, 'level', 'gold')).toMatchObject({
          code: 0,
          body: { upserted: 1, unchanged: 0, keys_created: ['level'] },
          nothing: '',
        })
        expect(await run('attributes', 'set', FIRST, 'level', 'gold')).toMatchObject({
          stdout: 'Unchanged: the attribute already has this value\n',
        })
        expect((await run('attributes', 'set', FIRST, 'seats', '-12')).code).toBe(2)
        expect(await run('attributes', 'set', FIRST, 'seats', '--', '-12')).toMatchObject({ code: 0, stdout: 'Stored\n' })
        expect((await json('attributes', 'set', FIRST, 'seats', '12.50')).code).toBe(0)
        expect(await json('attributes', 'set', SECOND, 'seats', 'many')).toMatchObject({
          code: 3,
          body: { code: 'invalid_value', issues: [{ where: 'body.attributes.seats', value: 'many' }] },
          nothing: '',
        })
        const hostile = '__proto__'
        expect((await json('attributes', 'set', FIRST, hostile, "it's -- \\ % 😀")).body.keys_created).toEqual([hostile])
      })

      it('import takes the column of our own lists, and exits with 3 if it leaves something out', async () => {
        const own = await readFile(join(packageRoot(), 'fixtures/files/attributes-own-export-header.csv'), 'utf8')
        const known = join(folder, 'known.csv')
        await writeFile(known, own.replace('case-a', FIRST).replaceAll('tier', 'rank'))
        expect(await run('attributes', 'import', known)).toEqual({
          code: 0,
          stdout: '1 rows read, 1 stored, 0 cells rejected\nNew attributes: rank\n',
          stderr: '',
        })
        const unknown = join(folder, 'unknown.csv')
        await writeFile(unknown, own.replaceAll('tier', 'rank'))
        expect(await run('attributes', 'import', unknown)).toMatchObject({
          code: 3,
          stdout: '1 rows read, 0 stored, 0 cells rejected\nUnknown customers (1): case-a\n',
        })
        expect(await run('attributes', 'import', unknown, '--lenient')).toMatchObject({ code: 0 })
        await writeFile(unknown, `external_key,seats\n${FIRST},many\n`)
        expect(await run('attributes', 'import', unknown)).toMatchObject({ code: 3 })
      })

      it("list names stored, computed and the engine's own, in every format", async () => {
        const { code, body } = await json('attributes', 'list')
        expect(code).toBe(0)
        const keys = body.map(({ key }: { key: string }) => key)
        expect(keys).toEqual(expect.arrayContaining(['level', 'seats', 'computed.mrr_band', 'tier']))
        expect(keys).toEqual([...keys].sort())
        expect(body).toContainEqual(expect.objectContaining({ key: 'seats', type: 'number', source: 'api', editable: true }))
        expect(body).toContainEqual(expect.objectContaining({ key: 'tier', source: 'killbill', editable: false }))
        const csv = (await run('attributes', 'list', '--format', 'csv')).stdout.split('\r\n')
        expect(csv[0]).toBe('key,label,type,source,description,editable,created_at,updated_at')
        expect(csv).toHaveLength(keys.length + 2)
        const text = (await run('attributes', 'list')).stdout
        expect(text).toMatch(/^seats +seats +number +api *$/m)
        expect(text).not.toContain('editable')
      })
    })

    describe('segments', () => {
      it('list is empty at first, then the last changed first', async () => {
        expect(await run('segments', 'list')).toEqual({ code: 0, stdout: '(no segments)\n', stderr: '' })
        const [first, second] = [await create('gold customers', 'gold.json'), await create('others', 'others.json')]
        expect(first).toMatch(UUID)
        expect((await json('segments', 'update', first, '--description', 'changed last')).code).toBe(0)
        const { body } = await json('segments', 'list')
        expect(body.map(({ id }: { id: string }) => id).sort()).toEqual([first, second].sort())
        const csv = (await run('segments', 'list', '--format', 'csv')).stdout
        expect(csv).toMatch(/^id,name,description,definition,created_by,created_at,updated_at,warnings\r\n/)
        expect((await run('segments', 'list')).stdout).toMatch(new RegExp(`^${first} +gold customers +changed last +2026-`, 'm'))
      })

      it('show prints a segment with its definition, and the names in it that nothing has', async () => {
        await writeFile(join(folder, 'unknown.json'), JSON.stringify(allOf({ field: 'attr.gone', op: '=', value: 1 })))
        const id = await create('of the future', 'unknown.json')
        const shown = await json('segments', 'show', id)
        expect(shown.body).toMatchObject({ id, name: 'of the future', description: null, warnings: [expect.any(String)] })
        const { code, stdout } = await run('segments', 'show', id)
        expect(code).toBe(0)
        expect(stdout).toContain(JSON.stringify(shown.body.definition, null, 2))
        expect(stdout).toContain('warning: root.conditions[0]: unknown attribute "gone"')
        expect(await json('segments', 'show', NOBODY)).toMatchObject({ code: 3, body: { code: 'not_found' } })
        expect(await run('segments', 'show')).toMatchObject({ code: 2, stdout: '' })
      })

      it('update changes what is given and nothing else', async () => {
        const id = await create('before', 'gold.json')
        const updated = await json('segments', 'update', id, '--name', 'after', ...file('others.json'))
        expect(updated).toMatchObject({ code: 0, body: { status: 'updated', id, name: 'after', definition: OTHERS } })
        expect((await json('segments', 'update', id, '--description', 'text')).body).toMatchObject({
          name: 'after',
          description: 'text',
          definition: OTHERS,
        })
        expect((await json('segments', 'show', id)).body).toMatchObject({ name: 'after', description: 'text' })
        expect(await json('segments', 'update', id, '--name', 'others')).toMatchObject({ code: 3, body: { code: 'conflict' } })
        expect(await json('segments', 'update', NOBODY, '--name', 'x')).toMatchObject({ code: 3, body: { code: 'not_found' } })
        const empty = await run('segments', 'update', id)
        expect(empty).toMatchObject({ code: 2, stdout: '' })
        expect(empty.stderr).toContain('one of --name, --description and --file is required')
      })

      it('delete deletes once', async () => {
        const id = await create('passing', 'gold.json')
        expect(await json('segments', 'delete', id)).toMatchObject({ code: 0, body: { status: 'deleted' } })
        expect(await json('segments', 'delete', id)).toMatchObject({ code: 3, body: { code: 'not_found' } })
        expect(await json('segments', 'delete', 'no id')).toMatchObject({ code: 3, body: { code: 'not_found' } })
        expect((await json('segments', 'list')).body.map((each: { id: string }) => each.id)).not.toContain(id)
      })

      it('narrow and compare a metric', async () => {
        const [some, others] = [await create('some', 'gold.json'), await create('the rest', 'others.json')]
        const mrr = async (...argv: readonly string[]) => (await json('mrr', '--dimension', 'currency', ...argv)).body
        const sum = (rows: readonly { mrr: number }[]) => rows.reduce((total, row) => total + row.mrr, 0)
        const compared = await mrr('--compare', some, '--compare', others)
        const of = (id: string) => compared.filter((row: { segment_id: string }) => row.segment_id === id)
        expect(sum(of(some))).toBe(sum(await mrr('--segment', some)))
        expect(sum(of(some)) + sum(of(others))).toBe(sum(await mrr()))
        expect(sum(of(some)) > 0 && sum(of(others)) > 0).toBe(true)
        expect(await mrr('--compare', 'some', '--compare', 'the rest')).toEqual(compared)
        expect(await json('mrr', '--segment', 'the rest ')).toMatchObject({ code: 3, body: { code: 'unknown_segment' } })
        expect((await run('mrr', '--compare', 'some')).stdout).toMatch(/^segment_id +segment_name +mrr .*\n[0-9a-f-]{36} +some /)
        // The name of one segment may be the id of another: the id wins.
        const misleading = await create(some, 'others.json')
        expect(await mrr('--compare', some, '--compare', misleading)).toEqual(
          compared.map((row: { segment_name: string }) =>
            row.segment_name === 'some' ? row : { ...row, segment_id: misleading, segment_name: some },
          ),
        )
      })
    })

    // The rest is the same on every engine: values that are set, and refusals that store nothing.
    if (!isFirst(target)) return

    it('a value that one command sets is in the segment that another asks for', async () => {
      expect(await run('attributes', 'set', FIRST, 'seen by', 'another')).toEqual({ code: 0, stdout: 'Stored\n', stderr: '' })
      await writeFile(join(folder, 'seen.json'), JSON.stringify(allOf({ field: 'attr.seen by', op: '=', value: 'another' })))
      const id = await create('seen', 'seen.json')
      expect((await run('segments', 'show', id)).stdout).toMatch(new RegExp(`^${id} {2}seen\n`))
      const mrr = await run('mrr', '--segment', id, '--dimension', 'customer_id,currency', '--format', 'json')
      expect(mrr).toMatchObject({ code: 0, stderr: '' })
      const customers = (JSON.parse(mrr.stdout) as Record<string, string>[]).map((row) => row['customer_id'])
      expect(new Set(customers).size).toBe(1)
      expect(await run('segments', 'delete', id)).toEqual({ code: 0, stdout: 'Deleted\n', stderr: '' })
      expect((await run('segments', 'show', id)).code).toBe(3)
    })

    it('set refuses what cannot be', async () => {
      expect(await json('attributes', 'set', 'nobody', 'level', 'gold')).toMatchObject({ code: 3, body: { code: 'not_found' } })
      expect(await json('attributes', 'set', FIRST, 'a=b', 'x')).toMatchObject({ code: 3, body: { code: 'validation_failed' } })
      expect(await json('attributes', 'set', FIRST, 'tier', '5')).toMatchObject({
        code: 3,
        body: { code: 'read_only_attribute', keys: ['tier'] },
      })
      const missing = await run('attributes', 'set', FIRST, 'level')
      expect(missing).toMatchObject({ code: 2, stdout: '' })
      expect(missing.stderr).toContain('argument <value> is missing')
    })

    it('validate tells everything that is wrong, and saves nothing', async () => {
      const before = (await json('segments', 'list')).body.length
      expect(await run('segments', 'validate', ...file('gold.json'))).toEqual({ code: 0, stdout: 'valid\n', stderr: '' })
      expect((await run('segments', 'validate', ...file('misspelt.json'))).stdout).toMatch(
        /^valid\nwarning: No row has plan_id=pro-montly\. Did you mean pro-monthly or promo-monthly\?/,
      )
      const { code, body } = await json('segments', 'validate', ...file('shapeless.json'))
      expect({ code, ...body }).toMatchObject({ code: 0, valid: false, errors_by_metric: {} })
      expect(body.errors).toHaveLength(3)
      const text = (await run('segments', 'validate', ...file('shapeless.json'))).stdout
      expect(text).toBe(body.errors.map((error: string) => `${error}\n`).join(''))
      expect((await json('segments', 'list')).body).toHaveLength(before)
    })

    it('create and validate say what is missing or cannot be read', async () => {
      const bare = await run('segments', 'create')
      expect(bare).toMatchObject({ code: 2, stdout: '' })
      expect(bare.stderr).toContain('option --name is missing')
      expect(bare.stderr).toContain('option --file is missing')
      expect((await run('segments', 'validate')).stderr).toContain('option --file is missing')
      for (const argv of [['validate'], ['create', '--name', 'x'], ['update', NOBODY]]) {
        expect(await run('segments', ...argv, ...file('none.json')), argv[0]).toMatchObject({ code: 2, stdout: '' })
        expect(await json('segments', ...argv, ...file('broken.json')), argv[0]).toMatchObject({
          code: 3,
          body: { code: 'invalid_json' },
        })
      }
      expect(await json('segments', 'create', '--name', 'x', ...file('shapeless.json'))).toMatchObject({
        code: 3,
        body: { code: 'validation_failed', issues: expect.any(Array) },
      })
      expect(await json('segments', 'create', '--name', 'others', ...file('gold.json'))).toMatchObject({
        code: 3,
        body: { code: 'conflict' },
      })
    })
  },
  { only: ['postgres', 'mariadb', 'mysql'] },
)
