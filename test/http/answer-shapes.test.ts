import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { MEDIA_TYPES } from '../../src/facades/http/accept.ts'
import { sheetsOf } from '../support/product/workbook-sheets.ts'
import { META, serviceOver } from './recording-engine.ts'

const MRR = '/api/metrics/mrr'
const { json, csv, xlsx } = MEDIA_TYPES

const LARGE = {
  data: Array.from({ length: 100 }, (_, index) => ({ plan_id: `plan-${index}`, mrr: index })),
  kind: 'rows' as const,
  columns: ['plan_id', 'mrr'],
  meta: META,
}

describe('the type of an answer', () => {
  it.each([
    ['*/*', json],
    ['text/*', csv],
    [`${csv};q=0.2, ${xlsx};q=0.3`, xlsx],
    [`${json};q=0, ${csv};q=0.1`, csv],
    [`${json};q=0, */*`, csv],
    ['text/html, */*;q=0.1', json],
    ['TEXT/CSV', csv],
    [';;;', json],
  ])('Accept: %s', async (accept, type) => {
    const response = await serviceOver().app.request(MRR, { headers: { accept } })
    expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, type])
    expect(response.headers.get('vary')).toContain('Accept')
  })

  it.each(['text/html', 'image/*', `${json};q=0`, '*/*;q=0'])(
    'what is not served is 406 and says what is: %s',
    async (accept) => {
      const { app, calls } = serviceOver()
      for (const path of [MRR, '/api/metrics/summary', '/api/customers', '/api/customers/x']) {
        const response = await app.request(path, { headers: { accept } })
        expect(response.status).toBe(406)
        expect(response.headers.get('content-type')).toBe(json)
        expect(await response.json()).toMatchObject({ code: 'not_acceptable', available: [json, csv, xlsx] })
      }
      expect(calls).toEqual([])
      expect((await app.request(`${MRR}?format=xlsx`, { headers: { accept } })).headers.get('content-type')).toBe(xlsx)
    },
  )

  it('a workbook has the question as it was asked', async () => {
    const asked = `${MRR}?dimensions=plan_id&format=xlsx`
    const response = await serviceOver({ query: () => Promise.resolve(LARGE) }).app.request(asked)
    const sheets = sheetsOf(new Uint8Array(await response.arrayBuffer()))
    expect([...sheets.keys()]).toEqual(['Answer', 'Question', 'Definitions'])
    expect(sheets.get('Question')?.[0]?.map((cell) => cell?.value)).toEqual(['Question', `GET ${asked}`])
    expect(
      sheets
        .get('Answer')
        ?.at(-1)
        ?.map((cell) => cell?.value),
    ).toEqual(['plan-99', '99'])
  })
})

describe('headers of an answer', () => {
  it.each([
    [`${MRR}?format=csv`, undefined, 'mrr_as-of-2025-05-31.csv'],
    [`${MRR}?format=csv`, { start: '2025-05-31', end: '2025-05-31' }, 'mrr_2025-05-31.csv'],
    [
      `${MRR}/breakdown?format=xlsx`,
      { start: '2025-04-01', end: '2025-04-30' },
      'mrr-breakdown_2025-04-01_2025-04-30_as-of-2025-05-31.xlsx',
    ],
  ])('%s about %j is kept as %s', async (path, days, name) => {
    const service = serviceOver({ query: () => Promise.resolve({ ...LARGE, meta: { ...META, days } }) })
    const { headers } = await service.app.request(path)
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
    expect((await service.app.request(MRR)).headers.has('content-disposition')).toBe(false)
  })

  it('say in which currency and unit its amounts are, also when nothing has changed', async () => {
    const amounts = { unit: 'units' as const, currency: 'original' }
    const { app } = serviceOver({ query: () => Promise.resolve({ ...LARGE, meta: { ...META, amounts } }) })
    const first = await app.request(MRR)
    const again = await app.request(MRR, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
    expect([first.status, again.status]).toEqual([200, 304])
    for (const { headers } of [first, again]) {
      expect([headers.get('x-currency'), headers.get('x-unit')]).toEqual(['original', 'units'])
    }
  })
})

describe('compression', () => {
  const service = () => serviceOver({ query: () => Promise.resolve(LARGE) }).app
  const gzip = { 'accept-encoding': 'gzip' }

  it('makes large bodies small for those who take it, and leaves them the same', async () => {
    const plain = await service().request(MRR)
    const small = await service().request(MRR, { headers: gzip })
    expect([plain.headers.get('content-encoding'), small.headers.get('content-encoding')]).toEqual([null, 'gzip'])
    const text = await plain.text()
    expect(plain.headers.get('content-length')).toBe(String(Buffer.byteLength(text)))
    const bytes = Buffer.from(await small.arrayBuffer())
    expect(gunzipSync(bytes).toString()).toBe(text)
    expect(bytes.length).toBeLessThan(text.length / 2)
    for (const { headers } of [plain, small]) expect(headers.get('vary')).toContain('Accept-Encoding')
  })

  it('has its own entity tag, which is taken back', async () => {
    const plain = (await service().request(MRR)).headers.get('etag') ?? ''
    const small = (await service().request(MRR, { headers: gzip })).headers.get('etag') ?? ''
    expect(small).toBe(`W/${plain}`)
    for (const tag of [plain, small]) {
      const response = await service().request(MRR, { headers: { ...gzip, 'if-none-match': tag } })
      expect([response.status, await response.text()]).toEqual([304, ''])
    }
  })

  it('leaves alone what is small, has no body or is compressed by nature', async () => {
    const small = await serviceOver().app.request(MRR, { headers: gzip })
    expect([small.headers.get('content-encoding'), small.headers.get('content-length')]).toEqual([null, '5'])
    const head = await service().request(MRR, { method: 'HEAD', headers: gzip })
    const full = await service().request(MRR)
    expect([head.status, await head.text(), head.headers.get('content-encoding')]).toEqual([200, '', null])
    for (const name of ['content-length', 'etag', 'vary']) expect(head.headers.get(name)).toBe(full.headers.get(name))
    const book = await service().request(`${MRR}?format=xlsx`, { headers: gzip })
    expect(book.headers.get('content-encoding')).toBeNull()
  })

  it('is for refusals and documents too', async () => {
    const document = await service().request('/openapi.json', { headers: gzip })
    expect(JSON.parse(gunzipSync(Buffer.from(await document.arrayBuffer())).toString())).toMatchObject({ openapi: '3.1.0' })
    const figures = await service().request('/metrics', { headers: gzip })
    expect(gunzipSync(Buffer.from(await figures.arrayBuffer())).toString()).toContain('# HELP')
  })
})
