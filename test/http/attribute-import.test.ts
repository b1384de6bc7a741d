import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packageRoot } from '../../src/core/package-root.ts'
import { oneEngineInRotation } from '../support/databases/rotation.ts'
import { isFirst } from '../support/databases/targets.ts'
import { CSV_BYTES } from '../support/product/recorded-engine.ts'
import { type RealService, realService } from '../support/product/recorded-service.ts'

/** Of the small tenant, which is as good: nothing here depends on many customers. */
const [A, B, C] = ['beta-acc-0001', 'beta-acc-0002', 'beta-acc-0003']

oneEngineInRotation('the import of attributes', (target) => {
  let service: RealService
  beforeAll(async () => {
    service = await realService(target, { tenant: ['beta'] })
  })
  afterAll(() => service.close())

  // From the list of values: a customer's own page, which has them too, takes ten times as long to answer.
  const attributeOf = async (customer: string, key: string): Promise<unknown> => {
    const { rows } = (await service.ask('GET', `customer-attributes?key=${key}&limit=1000`)).body
    return rows.find((row: Record<string, unknown>) => row['customer_external_id'] === customer)?.value
  }
  const keys = async (): Promise<readonly string[]> =>
    (await service.ask('GET', 'attributes')).body.map((each: { key: string }) => each.key)

  it('reports what it stored and what it left out', async () => {
    const csv = `\ufeffexternal,seats,region\r\n${A},10,EU\r\n${B},many,"U,S"\r\nx9,1,EU\r\n,1,EU\r\n${C}\r\nx9,,\r\n`
    expect(await service.upload(csv)).toEqual({
      status: 200,
      body: {
        rows_read: 6,
        rows_upserted: 2,
        unknown_customers: ['x9'],
        keys_created: ['region', 'seats'],
        cells_rejected: [{ row: 2, key: 'seats', value: 'many', reason: 'type_mismatch' }],
        kept_as_text: [],
        unknown_customers_total: 1,
        cells_rejected_total: 1,
      },
    })
    expect(await attributeOf(B, 'region')).toBe('U,S')
    expect((await service.ask('GET', `customers/${A}`)).body.attributes).toMatchObject({ region: 'EU', seats: 10 })
  })

  it('leaves values of empty cells and takes the last of two rows', async () => {
    await service.upload(`external,stage,note\n${A},one,kept\n`)
    await service.upload(`external,stage,note\n${A},two,\n${A},three,\n`)
    expect([await attributeOf(A, 'stage'), await attributeOf(A, 'note')]).toEqual(['three', 'kept'])
  })

  it('knows customers by id, external key and e-mail address', async () => {
    const { id } = (await service.ask('GET', `customers/${A}`)).body
    const at = (name: string) => `${name}@example.test`
    expect((await service.upload(`customer_id,by\n${id},id\n${B},key\n`)).body).toMatchObject({ rows_upserted: 2 })
    expect((await service.upload(`email,by\n${at(C)},mail\n`)).body).toMatchObject({ rows_upserted: 1 })
    expect((await service.upload(`who,by\n${at(A)},x\n`, { id_column: 'who', id_kind: 'email' })).body).toMatchObject({
      rows_upserted: 1,
    })
    expect((await service.upload(`external,by\n${id},x\n`)).body).toMatchObject({ unknown_customers: [id] })
    expect((await service.upload(`external,by\n${A.toUpperCase()},x\n"${A} ",x\n`)).body.unknown_customers_total).toBe(2)
    expect(await Promise.all([A, B, C].map((customer) => attributeOf(customer, 'by')))).toEqual(['x', 'key', 'mail'])
  })

  it('keeps as text what a number would change, and says so', async () => {
    const file = readFileSync(join(packageRoot(), 'fixtures/files/attributes-leading-zeros.csv'), 'utf8')
    const { body } = await service.upload(file.replaceAll('alpha-', 'beta-'))
    expect(body).toMatchObject({ rows_upserted: 3, cells_rejected: [] })
    expect(body.kept_as_text).toEqual([
      { row: 1, key: 'zip', value: '01234' },
      { row: 1, key: 'code', value: '1e3' },
      { row: 1, key: 'num', value: '0x10' },
    ])
    const kept = await Promise.all(
      [A, B, C].map((customer) => Promise.all(['zip', 'code', 'num'].map((key) => attributeOf(customer, key)))),
    )
    expect(kept).toEqual([
      ['01234', '1e3', '0x10'],
      ['90210', '1E5', '12'],
      ['00501', '007', '3'],
    ])
  })

  it('a column of codes is text whichever row shows it, also in a later part of a long file', async () => {
    const cells = { plus: '+49', large: '9007199254740993', endless: 'Infinity', minus: '-0', postal: '01234' }
    const keys = Object.keys(cells)
    const csv = `external,${keys.join(',')}\n${A},${keys.map(() => '12').join(',')}\n${B},${Object.values(cells).join(',')}\n`
    expect((await service.upload(csv)).body.kept_as_text).toEqual(
      Object.entries(cells).map(([key, value]) => ({ row: 2, key, value })),
    )
    expect(await Promise.all(keys.map((key) => attributeOf(B, key)))).toEqual(Object.values(cells))
    expect(await Promise.all(keys.map((key) => attributeOf(A, key)))).toEqual(keys.map(() => '12'))
    const many = Array.from({ length: 2_500 }, (_, at) => `${A},${at + 1}`).join('\n')
    const long = await service.upload(`external,late\n${B},90210\n${many}\n${C},00501\n${A},90211\n`)
    expect(long.body).toMatchObject({ cells_rejected: [], kept_as_text: [{ row: 2_502, key: 'late', value: '00501' }] })
    expect(await Promise.all([A, B, C].map((customer) => attributeOf(customer, 'late')))).toEqual(['90211', '90210', '00501'])
    expect((await service.ask('GET', 'attributes/late/values')).body.type).toBe('string')
  })

  it('numbers stay numbers, text that is none says nothing, and a known number takes no code', async () => {
    const { body } = await service.upload(`external,seats_2,words\n${A},10.0,007 agents\n${B},-1.50,1e3\n${C},0.25,x\n`)
    expect(body).toMatchObject({ kept_as_text: [], cells_rejected: [] })
    expect(await Promise.all([A, B, C].map((customer) => attributeOf(customer, 'seats_2')))).toEqual([10, -1.5, 0.25])
    const later = await service.upload(`external,seats_2\n${A},010\n${B},2.50\n`)
    expect(later.body.cells_rejected).toEqual([{ row: 1, key: 'seats_2', value: '010', reason: 'type_mismatch' }])
    expect(await Promise.all([A, B].map((customer) => attributeOf(customer, 'seats_2')))).toEqual([10, 2.5])
    await service.ask('POST', 'attributes', { key: 'declared', type: 'number' })
    await service.upload(`external,declared\n${A},010.50\n`)
    expect(await attributeOf(A, 'declared')).toBe(10.5)
    const { body: set } = await service.ask('POST', `customers/${A}/attributes`, { attributes: { postcode: '01234', count: 7 } })
    expect(set).toMatchObject({ keys_created: ['count', 'postcode'] })
    expect([await attributeOf(A, 'postcode'), await attributeOf(A, 'count')]).toEqual(['01234', 7])
  })

  it('reads a file as its sender says it is written', async () => {
    const windows = Buffer.from(`external\tcity\n${A}\tM\u00fcnchen\n`, 'latin1')
    expect(await service.upload(windows)).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/windows-1252/) } })
    expect(await service.upload(windows, { encoding: 'Windows-1252', separator: 'tab' })).toMatchObject({ status: 200 })
    expect(await attributeOf(A, 'city')).toBe('München')
    const unknown = await service.upload(windows, { encoding: 'latin-9', separator: '|' })
    expect(unknown).toMatchObject({ status: 400, body: { code: 'invalid_value' } })
    expect(unknown.body.issues.map(({ where }: { where: string }) => where)).toEqual(['body.separator', 'body.encoding'])
  })

  it('takes hostile cells unchanged', async () => {
    const cell = `'; drop table x; -- \\ % _ 🙂 {{}} $1 ?`
    const { body } = await service.upload(`external,odd\n${A},${cell}\n"a\u0000b",x\n'\\%🙂,y\n${B},"a\u0000b"\n`)
    expect(body).toMatchObject({ rows_upserted: 1, unknown_customers_total: 2, cells_rejected_total: 1 })
    expect(await attributeOf(A, 'odd')).toBe(cell)
  })

  it('takes turns with other imports and changes: nothing is lost and one type holds', async () => {
    const numbers = `external,raced,own_1\n${A},1,x\n${B},2,x\n`
    const texts = `external,raced,own_2\n${A},one,x\n${B},two,x\n`
    const [first, second] = await Promise.all([service.upload(numbers), service.upload(texts)])
    expect([first.status, second.status]).toEqual([200, 200])
    const wasNumber = first.body.keys_created.includes('raced')
    expect(second.body.keys_created.includes('raced')).toBe(!wasNumber)
    expect(await attributeOf(A, 'raced')).toBe(wasNumber ? 1 : '1')
    const deleting = service.ask('DELETE', `customers/${A}/attributes/own_1`)
    const setting = service.ask('POST', `customers/${A}/attributes`, { attributes: { own_1: 'y' } })
    expect([(await deleting).status, (await setting).status]).toEqual([200, 200])
    expect([undefined, 'y']).toContain(await attributeOf(A, 'own_1'))
  })

  it('keeps line feeds in quotes', async () => {
    await service.upload(`external,lines\r\n${A},"one\r\ntwo\nthree"\r\n`)
    expect(await attributeOf(A, 'lines')).toBe('one\r\ntwo\nthree')
  })

  it('writes nothing of a file that ends in bytes that are no text', async () => {
    const csv = Buffer.concat([Buffer.from(`external,lost\n${`${A},1\n`.repeat(5_500)}`), Buffer.from([0xff])])
    expect(await service.upload(csv)).toMatchObject({ status: 400, body: { code: 'invalid_csv' } })
    expect(await keys()).not.toContain('lost')
  })

  it('writes nothing for who has left', async () => {
    const csv = `external,lost\n${`${A},1\n`.repeat(5_500)}`
    await service.upload(csv, {}, 'attributes/import', AbortSignal.abort())
    expect(await keys()).not.toContain('lost')
    await service.upload('date,from,to,rate\n2022-01-01,LOS,TTT,1\n', {}, 'fx/rates/import', AbortSignal.abort())
    expect((await service.ask('GET', 'fx/rates?from=LOS')).body).toEqual([])
  })

  // How a file is read, and what of it is refused, is the same whatever it is stored in.
  if (!isFirst(target)) return

  it.each([
    ['then carriage returns', `external,ends\n${A},1\r\n${B},2\r\n`],
    ['after carriage returns', `external,ends\r\n${A},1\n${B},2\n`],
    ['of one row after a carriage return', `external,ends\r\n${A},1\n`],
    ['and the old ends of lines', `external,ends\r${A},1\r\n${B},2\n`],
    ['inside quotes', `"external",ends\n${A},"1"\r\n\r\n${B},2`],
  ])('takes line feeds %s for ends of lines, not for parts of a cell', async (_what, csv) => {
    expect((await service.upload(csv)).body).toMatchObject({ unknown_customers: [], cells_rejected: [] })
    expect(await attributeOf(A, 'ends')).toBe(1)
    expect((await service.ask('GET', 'attributes/ends/values')).body.type).toBe('number')
  })

  it.each([
    ['nothing', '', undefined, undefined],
    ['no id column', 'a,b\n1,2\n', undefined, undefined],
    ['no attribute', 'external\nx\n', undefined, undefined],
    ['a column twice', 'external,lost,lost\nx,1,2\n', undefined, 'lost'],
    ['a bad name', 'external,lost=x\nx,1\n', undefined, 'lost=x'],
    ['a value without a name', 'external,lost,\nx,1,2\n', 1, undefined],
    ['a long row', `external,lost\n${A},1\n${A},1,2\n`, 2, undefined],
    ['an open quote', `external,lost\n${A},1\n${A},"1\n`, 2, 'lost'],
    ['a stray quote', `external,lost\n${A},1"2\n`, 1, 'lost'],
  ])('writes nothing of a file with %s', async (_what, csv, row, column) => {
    const { status, body } = await service.upload(csv)
    expect([status, body.code, body.row, body.column]).toEqual([400, 'invalid_csv', row, column])
    expect(await keys()).not.toContain('lost')
  })

  it('takes files up to the limit and no byte more', async () => {
    const csv = `external,padding\n${A},`
    expect((await service.upload(csv.padEnd(CSV_BYTES, '7'))).status).toBe(200)
    expect(await service.upload(csv.padEnd(CSV_BYTES + 1, '7'))).toMatchObject({ status: 413, body: { limit_bytes: CSV_BYTES } })
  })

  it('refuses what is no upload, and unknown kinds', async () => {
    expect((await service.ask('POST', 'attributes/import', {})).status).toBe(415)
    expect(await service.upload('external,a\n', { id_kind: 'name' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_value' },
    })
    expect(await service.upload('external,a\n', { id_column: 'nothing' })).toMatchObject({
      status: 400,
      body: { column: 'nothing' },
    })
  })

  it('lists a thousand of what it left out and counts all', async () => {
    const rows = Array.from({ length: 1_500 }, (_, index) => `none-${index},1\n${A},text`).join('\n')
    const { body } = await service.upload(`external,counted\n${A},1\n${rows}\n`)
    expect([body.unknown_customers.length, body.unknown_customers_total]).toEqual([1_000, 1_500])
    expect([body.cells_rejected.length, body.cells_rejected_total]).toEqual([1_000, 1_500])
    expect([body.unknown_customers[0], body.unknown_customers[999]]).toEqual(['none-0', 'none-999'])
  })
})
