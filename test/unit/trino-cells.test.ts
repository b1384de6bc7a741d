import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AskedDouble, askDouble } from '../support/databases/servers/asked-double.ts'
import { json, part, type TrinoDouble } from '../support/databases/servers/trino-double.ts'

let double: TrinoDouble
let { ask, refusal, close } = {} as AskedDouble

beforeAll(async () => {
  ;({ double, ask, refusal, close } = await askDouble())
})
afterAll(() => close())

describe('cells of Trino', () => {
  it('keeps every digit of numbers', async () => {
    const types = ['bigint', 'bigint', 'integer', 'double', 'decimal(38,2)', 'real']
    const columns = types.map((type, index) => ({ name: `c${index}`, type }))
    const data = '[[9007199254740993,-9223372036854775808,42,0.1,"12345678901234567890.12","NaN"]]'
    double.play({ gets: [json(`{"id":"q1","columns":${JSON.stringify(columns)},"data":${data}}`)] })
    expect(await ask()).toEqual([
      { c0: '9007199254740993', c1: '-9223372036854775808', c2: 42, c3: 0.1, c4: '12345678901234567890.12', c5: Number.NaN },
    ])
  })

  it('writes cells as the other databases do', async () => {
    const cells = [
      ['timestamp(6)', '2026-01-02 03:04:05.120000', '2026-01-02 03:04:05.12'],
      ['timestamp(6)', '2026-01-02 03:04:05.000000', '2026-01-02 03:04:05'],
      ['timestamp(0)', '2026-01-02 03:04:00', '2026-01-02 03:04:00'],
      ['timestamp(3) with time zone', '2026-01-02 03:04:05.100 UTC', '2026-01-02 03:04:05.1'],
      ['date', '2026-01-20', '2026-01-20'],
      ['varbinary', '3q2+7w==', '\\xdeadbeef'],
      ['boolean', true, true],
      ['tinyint', 1, 1],
      ['varchar(10)', 'Zoë\u0000', 'Zoë\u0000'],
      ['varchar', null, null],
      ['unknown', null, null],
      ['array(integer)', [1, null], '[1,null]'],
    ] as const
    const columns = cells.map(([type], index) => ({ name: `c${index}`, type }))
    double.play({ gets: [part({ columns, data: [cells.map(([, cell]) => cell)] }, null)] })
    expect(await ask()).toEqual([Object.fromEntries(cells.map(([, , expected], index) => [`c${index}`, expected]))])
  })

  it('refuses an instant of another zone, which it could not compare', async () => {
    const columns = [{ name: 'c', type: 'timestamp(3) with time zone' }]
    const error = await refusal({ gets: [part({ columns, data: [['2026-01-02 03:04:05.100 Europe/Berlin']] }, null)] })
    expect(error).toMatchObject({ name: 'InternalError', cause: { code: 'OTHER_ZONE' } })
  })
})
