import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { renderCsv } from '../../src/facades/presentation/render.ts'

describe('CSV bodies', () => {
  it.each([
    ['a scalar', { kind: 'scalar', data: 17133, columns: ['mrr'] }, 'mrr\r\n17133\r\n'],
    ['a scalar null', { kind: 'scalar', data: null, columns: ['arpu'] }, 'arpu\r\n""\r\n'],
    [
      'an object',
      { kind: 'object', data: { subscription_mrr: 5, usage_mrr: 0, mrr: 5 }, columns: ['subscription_mrr', 'usage_mrr', 'mrr'] },
      'subscription_mrr,usage_mrr,mrr\r\n5,0,5\r\n',
    ],
    ['no rows', { kind: 'rows', data: [], columns: ['period', 'mrr'] }, 'period,mrr\r\n'],
    ['column order', { kind: 'rows', data: [{ b: 1, a: 2 }], columns: ['a', 'b'] }, 'a,b\r\n2,1\r\n'],
    [
      'dots in names',
      { kind: 'rows', data: [{ 'customer.country': 'DE' }], columns: ['customer.country'] },
      'customer.country\r\nDE\r\n',
    ],
    [
      'quotes, commas and line breaks',
      { kind: 'rows', data: [{ n: 'a "b", c\r\nd' }], columns: ['n'] },
      'n\r\n"a ""b"", c\r\nd"\r\n',
    ],
    ['nested values', { kind: 'rows', data: [{ n: { a: [1, 'x'] } }], columns: ['n'] }, 'n\r\n"{""a"":[1,""x""]}"\r\n'],
    [
      'booleans and missing',
      { kind: 'rows', data: [{ a: true, b: false }], columns: ['a', 'b', 'c'] },
      'a,b,c\r\ntrue,false,\r\n',
    ],
    [
      'negative numbers stay numbers',
      { kind: 'rows', data: [{ a: -5, b: 0.117394 }], columns: ['a', 'b'] },
      'a,b\r\n-5,0.117394\r\n',
    ],
  ] as const)('%s', (_, answer, text) => {
    expect(renderCsv(answer)).toBe(text)
  })

  it('names amounts in units without cents, and nothing else', () => {
    const fields = [
      { name: 'mrr_base_cents', holds: 'amount' },
      { name: 'attr.fee_cents', holds: 'other' },
    ]
    const columns = fields.map(({ name }) => name)
    const data = [{ mrr_base_cents: '26.21', 'attr.fee_cents': 7 }]
    const csv = (unit: string) => renderCsv({ kind: 'rows', data, columns, meta: { fields, amounts: { unit } } })
    expect(csv('units')).toBe('mrr_base,attr.fee_cents\r\n26.21,7\r\n')
    expect(csv('cents')).toBe('mrr_base_cents,attr.fee_cents\r\n26.21,7\r\n')
  })

  it.each(['=1+1', '+49 30', '-5', '@SUM(A1)', '\t=1+1', '\r=1+1', '\n=1+1', '＝1+1', '＠SUM(A1)'])(
    'text %j cannot run as a formula, nor can the name of a column',
    (text) => {
      const written = parse(renderCsv({ kind: 'rows', data: [{ [text]: text }], columns: [text] }))
      expect(written).toEqual([[`'${text}`], [`'${text}`]])
    },
  )

  it('reads back as it was written', () => {
    const rows = [{ a: 'x;\t"', b: 'é\u2028\n', c: '' }]
    expect(parse(renderCsv({ kind: 'rows', data: rows, columns: ['a', 'b', 'c'] }), { columns: true })).toEqual(rows)
  })
})
