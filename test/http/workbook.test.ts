import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/engine/engine.ts'
import { renderXlsx } from '../../src/facades/presentation/workbook/render.ts'
import { writeWorkbook } from '../../src/facades/presentation/workbook/sheets.ts'
import { metric as mrr } from '../../src/metrics/mrr/index.ts'
import { instantOf, sheetsOf } from '../support/product/workbook-sheets.ts'
import { META } from './recording-engine.ts'

const HOSTILE = [
  '=1+1',
  '+49 30',
  '-5',
  '@SUM(A1)',
  '2024-01-01',
  '12',
  'true',
  'constructor',
  '__proto__',
  '_x0041_',
  ' <&>"\' ',
  'tab\tline\nend',
  '\u0001',
  '😀',
]

const COLUMNS = ['name', 'currency', 'mrr_cents', 'mrr_base_cents', 'day', 'at', 'is_open', 'nested']
const HOLDS = ['other', 'other', 'amount', 'amount', 'day', 'instant', 'other', 'other'] as const

function answerOf(rows: readonly unknown[], meta: Partial<Answer['meta']> = {}): Answer {
  const fields = COLUMNS.map((name, index) => ({
    name,
    label: name,
    holds: HOLDS[index] ?? 'other',
    description: `What ${name} is`,
  }))
  return { data: { total: rows.length, rows }, kind: 'page', columns: COLUMNS, meta: { ...META, fields, ...meta } }
}

const ASKED = {
  call: 'GET /api/customers?filter=status=active',
  request: { params: {}, spec: { filters: { status: 'active' } } },
}

describe('a workbook', () => {
  it('keeps text as text, whatever it looks like', async () => {
    const rows = HOSTILE.map((name) => ({ name }))
    const sheet = sheetsOf(await renderXlsx(answerOf(rows), ASKED, undefined)).get('Answer') ?? []
    expect(sheet.slice(1).map(([cell]) => cell)).toEqual(HOSTILE.map((value) => ({ type: 'text', value, format: '' })))
  })

  it('has numbers, days, instants and truth as such, and amounts with the decimals of their currency', async () => {
    const row = { day: '2026-10-31', at: '2026-10-31T10:11:12.345Z', is_open: true, nested: ['a'], mrr_base_cents: '-0.50' }
    const rows = [
      { ...row, name: 'A', currency: 'JPY', mrr_cents: '1200' },
      { ...row, name: 'B', currency: 'KWD', mrr_cents: '1.230' },
      { ...row, name: null, currency: null, mrr_cents: null, day: null },
    ]
    const answer = answerOf(rows, { amounts: { unit: 'units', currency: 'original' } })
    const [header, first = [], second = [], third = []] = sheetsOf(await renderXlsx(answer, ASKED, undefined)).get('Answer') ?? []
    // Amounts in units are no cents.
    expect(header?.map((cell) => cell?.value)).toEqual(COLUMNS.map((name) => name.replace('_cents', '')))
    expect(first.slice(2, 4)).toEqual([
      { type: 'number', value: '1200', format: '#,##0' },
      { type: 'number', value: '-0.5', format: '#,##0.00' },
    ])
    expect(second[2]).toEqual({ type: 'number', value: '1.23', format: '#,##0.000' })
    expect([third[0], third[1], third[2], third[4]]).toEqual([null, null, null, null])
    const [day, at, is_open, nested] = first.slice(4)
    expect([instantOf(day?.value ?? ''), day?.format]).toEqual(['2026-10-31T00:00:00.000Z', 'yyyy-mm-dd'])
    expect([instantOf(at?.value ?? ''), at?.format]).toEqual([row.at, 'yyyy-mm-dd hh:mm:ss'])
    expect([is_open?.type, is_open?.value, nested?.value]).toEqual(['boolean', '1', '["a"]'])
  })

  it('of many rows is written while others are answered, and has the same bytes', async () => {
    const amounts = { unit: 'units' as const, currency: 'original' }
    const rows = Array.from({ length: 20_000 }, (_, index) => ({
      name: HOSTILE[index % HOSTILE.length],
      currency: index % 2 === 0 ? 'JPY' : 'USD',
      mrr_cents: String(index),
      at: '2026-10-31T10:11:12.345Z',
    }))
    const answer = answerOf(rows, { amounts })
    let turns = 0
    let isWritten = false
    const others = (async () => {
      for (; !isWritten; turns += 1) await setImmediate()
    })()
    const bytes = await renderXlsx(answer, ASKED, mrr)
    isWritten = true
    await others
    // Written here there would be a handful.
    expect(turns).toBeGreaterThan(1_000)
    const table = rows.map(({ name, currency, mrr_cents, at }) => [name, currency, mrr_cents, undefined, undefined, at])
    const { columns, meta } = answer
    expect(Buffer.compare(bytes, await writeWorkbook({ columns, meta, asked: ASKED, metric: mrr }, table))).toBe(0)
  })

  it('of many rows that cannot be written is an error of the request', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => ({ name: index === 2_999 ? 1n : 'a' }))
    await expect(renderXlsx(answerOf(rows), ASKED, undefined)).rejects.toThrow('BigInt')
    expect(sheetsOf(await renderXlsx(answerOf(rows.slice(0, 2_500)), ASKED, undefined)).get('Answer')).toHaveLength(2_501)
  })

  it('says what was asked, of when it is, in what its amounts are and what everything means', async () => {
    const warnings = [{ code: 'future_clamped' as const, message: 'A date was clamped.' }]
    const answer = answerOf([], { warnings, days: { start: '2025-05-01', end: '2025-05-31' } })
    const sheets = sheetsOf(await renderXlsx(answer, ASKED, mrr))
    const pairs = (name: string) => sheets.get(name)?.map(([key, value]) => [key?.value, value?.value])
    expect(pairs('Question')).toEqual([
      ['Question', ASKED.call],
      ['  filters', '{"status":"active"}'],
      ['First day', '2025-05-01'],
      ['Last day', '2025-05-31'],
      ['Complete up to', '2025-05-31T12:00:00.000Z'],
      ['Base currency', 'USD'],
      ['Amounts', 'cents, a hundredth of the unit in every currency, of USD'],
      ['Definitions in force', '0123456789ab'],
      ['Warning: future_clamped', 'A date was clamped.'],
    ])
    expect(pairs('Definitions')).toEqual(
      expect.arrayContaining([
        ['Formula', mrr.docs.formula],
        ['Column: mrr_cents', 'What mrr_cents is'],
      ]),
    )
  })
})
