import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInTurn, oneEngineInRotation } from '../support/databases/rotation.ts'
import type { StoreKind } from '../support/databases/store-places.ts'
import { CSV_BYTES, cacheOver } from '../support/product/recorded-engine.ts'
import { type RealService, realService } from '../support/product/recorded-service.ts'

const IMPORT = 'fx/rates/import'
const HISTORY = 'Date,USD,CHF,GBP,\n2026-08-31,1.1,0.95,N/A,\n2026-08-28,1.0,0.9,0.8,\n'

oneEngineInRotation('exchange rates over HTTP', (target) => {
  // `test/store` shows each kind of store, so one kind is enough here.
  const kinds: readonly StoreKind[] = [target.name, 'sqlite']
  describe.each(kinds.filter((_, index, { length }) => isInTurn(index, length)))('in a store on %s', (storeKind) => {
    let service: RealService
    // A base currency that nothing was ever converted into. With a store on a server, answers come from the cache.
    beforeAll(async () => {
      service = await realService(target, {
        storeKind,
        definitions: { base_currency: 'CHF' },
        ...(storeKind !== 'sqlite' && {
          cache: (executor, connector, definitions, clock) => cacheOver(executor, connector, { clock, definitions }),
        }),
      })
    })
    afterAll(() => service.close())

    const send = (csv: string | Uint8Array, fields?: Readonly<Record<string, string>>) => service.upload(csv, fields, IMPORT)
    const ratesOf = async (query: string) => (await service.ask('GET', `fx/rates?${query}`)).body
    const mrr = () => service.ask('GET', 'metrics/mrr')

    it('says what is missing, and counts what is imported from the next answer on', async () => {
      const refused = (await mrr()).body
      expect(refused).toMatchObject({ code: 'missing_fx_rate', base_currency: 'CHF' })
      const { status, body: missing } = await service.ask('GET', 'fx/missing')
      expect(status).toBe(200)
      const pairs: { from: string; to: string; first_day: string; count: number }[] = missing
      expect(pairs.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(['EUR CHF', 'GBP CHF', 'JPY CHF', 'USD CHF'])
      expect(refused.pairs.every(({ from }: { from: string }) => pairs.some((pair) => pair.from === from))).toBe(true)

      const ones = pairs.map(({ from }) => `2024-01-01,${from},CHF,1`)
      expect((await send(['date,from,to,rate', ...ones.slice(1)].join('\n'))).body.rows_upserted).toBe(3)
      expect((await service.ask('GET', 'fx/missing')).body).toEqual([pairs[0]])
      await send(['date,from,to,rate', ...ones].join('\n'))
      expect((await service.ask('GET', 'fx/missing')).body).toEqual([])
      const before = (await mrr()).body
      await send(`date,from,to,rate\n2024-01-01,USD,CHF,3\n`)
      const after = (await mrr()).body
      const byCurrency: { currency: string; mrr: number }[] = (await service.ask('GET', 'metrics/mrr?dimensions=currency')).body
      const dollars = byCurrency.find(({ currency }) => currency === 'USD')?.mrr ?? 0
      expect(after - before).toBe(2 * dollars)
    })

    it('lists by pair, day and currency, and the newest of each pair within the days', async () => {
      await send(
        'date,from,to,rate\n2020-03-01,XAU,XAG,80\n2020-01-01,XAU,XAG,70\n2020-02-01,XAU,XAG,75.5\n2020-01-05,XPT,XAG,9\n',
      )
      const gold = (date: string, rate: string) => ({ date, from: 'XAU', to: 'XAG', rate })
      const all = [gold('2020-01-01', '70'), gold('2020-02-01', '75.5'), gold('2020-03-01', '80')]
      const platinum = { date: '2020-01-05', from: 'XPT', to: 'XAG', rate: '9' }
      expect(await ratesOf('from=XAU')).toEqual(all)
      expect(await ratesOf('from=xau&from=XPT&to=xag&latest=true')).toEqual([all[2], platinum])
      expect(await ratesOf('to=XAG&latest=true&end=2020-02-29')).toEqual([all[1], platinum])
      expect(await ratesOf('to=XAG&start=2020-01-02&end=2020-02-01')).toEqual([all[1], platinum])
      expect(await ratesOf('from=XAU&to=CHF')).toEqual([])
    })

    it('refuses parameters that mean nothing, all at once', async () => {
      const { status, body } = await service.ask('GET', 'fx/rates?latest=maybe&start=2020-13-01&form=EUR')
      expect([status, body.code]).toEqual([400, 'invalid_value'])
      expect(body.issues.map(({ where }: { where: string }) => where).sort()).toEqual([
        'query.form',
        'query.latest',
        'query.start',
      ])
      // There is no other form of this list, and nobody is to take JSON for it.
      const asCsv = await service.ask('GET', 'fx/rates?format=csv')
      expect([asCsv.status, asCsv.body.issues[0].where]).toEqual([400, 'query.format'])
    })

    it("takes the European Central Bank's file, also zipped, into the base currency unless told", async () => {
      const zip = zipSync({ 'eurofxref-hist.csv': new TextEncoder().encode(HISTORY) })
      expect((await send(zip, { since: '2026-08-29' })).body).toEqual({
        rows_read: 2,
        rows_upserted: 2,
        rows_rejected: [],
        rows_rejected_total: 0,
      })
      expect(await ratesOf('to=CHF&start=2026-08-01')).toEqual([
        { date: '2026-08-31', from: 'EUR', to: 'CHF', rate: '0.95' },
        { date: '2026-08-31', from: 'USD', to: 'CHF', rate: '0.863636363636' },
      ])
      expect((await send(HISTORY, { to: 'gbp' })).body).toMatchObject({ rows_read: 2, rows_upserted: 3 })
      expect((await ratesOf('to=GBP')).map(({ from }: { from: string }) => from)).toEqual(['CHF', 'EUR', 'USD'])
      const refused = await send(HISTORY, { to: 'euro', since: '31.12.2025' })
      expect(refused.status).toBe(400)
      expect(refused.body.issues.map(({ where }: { where: string }) => where)).toEqual(['body.to', 'body.since'])
    })

    it('leaves out what cannot be stored, says why, and takes the later of two', async () => {
      const rows = ['-1', '0', '1e999', 'NaN', '', '=1+1'].map((rate) => `2021-01-01,AAA,BBB,${rate}`)
      const csv = [
        '\ufeffdate,from,to,rate,note',
        '2021-01-01,AAA,BBB,2',
        ...rows,
        '2021-01-01,aaa,BBB,1',
        '2021-01-01,AAA,BBB,2.50',
      ].join('\r\n')
      const { status, body } = await send(csv)
      const { rows_rejected, ...counts } = body
      expect([status, counts]).toEqual([200, { rows_read: 9, rows_upserted: 2, rows_rejected_total: 7 }])
      expect(rows_rejected.map(({ row }: { row: number }) => row)).toEqual([2, 3, 4, 5, 6, 7, 8])
      expect(rows_rejected[0].reason).toBe('rate must be a positive decimal number such as 1.0837')
      expect(await ratesOf('from=AAA')).toEqual([{ date: '2021-01-01', from: 'AAA', to: 'BBB', rate: '2.5' }])
    })

    it('lists a thousand of what it left out and counts all', async () => {
      const { body } = await send(`date,from,to,rate\n${'x,EUR,USD,1\n'.repeat(1_200)}`)
      expect([body.rows_rejected.length, body.rows_rejected_total, body.rows_upserted]).toEqual([1_000, 1_200, 0])
    })

    it.each([
      ['a row too long', 'date,from,to,rate\n2022-01-01,LOS,TTT,1\n2022-01-02,LOS,TTT,1,2\n', 400, 'invalid_csv'],
      ['an open quote', 'date,from,to,rate\n2022-01-01,LOS,TTT,1\n2022-01-02,"LOS,TTT,1\n', 400, 'invalid_csv'],
      ['a column twice', 'date,from,to,rate,rate\n2022-01-01,LOS,TTT,1,1\n', 400, 'invalid_csv'],
      ['nothing', '', 400, 'invalid_csv'],
      ['another base than the file has', 'Date,USD\n2022-01-01,1\n', 400, 'invalid_csv'],
      ['too many bytes', 'date,from,to,rate\n2022-01-01,LOS,TTT,1\n'.padEnd(CSV_BYTES + 1, '\n'), 413, 'payload_too_large'],
    ])('writes nothing of a file with %s', async (_what, csv, status, code) => {
      expect(await send(csv)).toMatchObject({ status, body: { code } })
      expect(await ratesOf('from=LOS')).toEqual([])
    })

    it('refuses what is no upload', async () => {
      expect((await service.ask('POST', IMPORT, {})).status).toBe(415)
      expect((await service.ask('GET', IMPORT)).status).toBe(405)
    })
  })
})
