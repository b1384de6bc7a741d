import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FxRate } from '../../src/core/currency.ts'
import type { RateSelection } from '../../src/ports/fx-rate-store.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { STORE_SERVERS, type StorePlace, storePlaces } from '../support/databases/store-places.ts'

const rate = (date: string, from: string, to: string, value: string): FxRate => ({ date, from, to, rate: value })

describe.each(storePlaces([...STORE_SERVERS, 'sqlite']))('exchange rates in a store on %s', (_name, makePlace) => {
  let place: StorePlace
  let store: Store
  const open = () => createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })

  beforeAll(async () => {
    place = await makePlace()
    store = open()
  })

  afterAll(async () => {
    await store.close()
    await place.remove()
  })

  it('is empty and at version 0 when it has just been made', async () => {
    expect(store.enabled).toBe(true)
    expect(await store.fxRates.list()).toEqual([])
    expect(await store.version()).toBe(0)
  })

  it('gives back exact decimals and plain days, ordered by pair and day', async () => {
    const rates = [
      rate('2024-02-29', 'GBP', 'USD', '1.25'),
      rate('2024-03-01', 'EUR', 'USD', '1.083700000001'),
      rate('1999-12-31', 'EUR', 'USD', '0.000000000001'),
      rate('2024-03-01', 'EUR', 'JPY', '163'),
      rate('2024-03-01', 'IDR', 'USD', '999999999999999.999999999999'),
    ]
    expect(await store.fxRates.upsert(rates)).toBe(5)
    expect(await store.fxRates.ratesInto('USD', ['IDR', 'EUR', 'GBP'])).toEqual([rates[2], rates[1], rates[0], rates[4]])
    expect(await store.fxRates.list()).toEqual([rates[3], rates[2], rates[1], rates[0], rates[4]])
    expect(await store.version()).toBe(1)
  })

  it('narrows to currencies and days, to the newest of each pair among these, and to so many', async () => {
    const datesOf = async (selection: RateSelection) =>
      (await store.fxRates.list(selection)).map(({ date, from, to }) => `${date} ${from} ${to}`)
    expect(await datesOf({ latest: true })).toEqual([
      '2024-03-01 EUR JPY',
      '2024-03-01 EUR USD',
      '2024-02-29 GBP USD',
      '2024-03-01 IDR USD',
    ])
    expect(await datesOf({ latest: true, from: ['EUR', 'GBP'], to: ['USD'], end: '2024-02-29' })).toEqual([
      '1999-12-31 EUR USD',
      '2024-02-29 GBP USD',
    ])
    expect(await datesOf({ start: '2024-03-01', limit: 2 })).toEqual(['2024-03-01 EUR JPY', '2024-03-01 EUR USD'])
    expect(await datesOf({ from: [] })).toEqual([])
  })

  it('replaces a rate of the same day and pair, the later of two in one call winning, and raises the version once', async () => {
    const before = await store.version()
    const many = Array.from({ length: 1_201 }, (_, index) => rate('2024-05-01', 'CHF', 'USD', `1.${index + 1}`))
    expect(await store.fxRates.upsert([...many, rate('2024-02-29', 'GBP', 'USD', '10.50')])).toBe(1_202)
    expect((await store.fxRates.list()).filter((each) => each.from === 'CHF')).toEqual([
      rate('2024-05-01', 'CHF', 'USD', '1.1201'),
    ])
    expect(await store.fxRates.ratesInto('USD', ['GBP'])).toContainEqual(rate('2024-02-29', 'GBP', 'USD', '10.5'))
    expect(await store.version()).toBe(before + 1)
  })

  it('writes nothing when the rates break off after some have been sent', async () => {
    const before = [await store.version(), await store.fxRates.list()]
    async function* broken() {
      for (let day = 0; day < 900; day++) yield rate('2023-01-01', 'SEK', 'USD', `0.${day + 1}`)
      throw new Error('the file ends here')
    }
    await expect(store.fxRates.upsert(broken())).rejects.toThrow('a statement of the store failed')
    expect([await store.version(), await store.fxRates.list()]).toEqual(before)
  })

  it('leaves the version alone when there is nothing to write', async () => {
    const before = await store.version()
    expect(await store.fxRates.upsert([])).toBe(0)
    expect(await store.version()).toBe(before)
  })

  it('takes several writers and readers at once', async () => {
    const before = await store.version()
    const writers = ['AUD', 'NZD', 'CAD', 'NOK', 'DKK', 'PLN'].map((from, index) =>
      store.fxRates.upsert([
        rate('2024-06-01', from, 'USD', `0.${index + 1}`),
        rate('2024-06-01', 'HKD', 'USD', `0.${index + 1}`),
      ]),
    )
    const readers = writers.map(() => store.fxRates.ratesInto('USD', ['AUD', 'HKD']))
    await Promise.all([...writers, ...readers])
    expect(await store.version()).toBe(before + 6)
    expect((await store.fxRates.list()).filter((each) => each.date === '2024-06-01')).toHaveLength(7)
  })

  it('keeps its content and its version over closing and opening again', async () => {
    const before = [await store.version(), await store.fxRates.list()]
    await store.close()
    store = open()
    expect([await store.version(), await store.fxRates.list()]).toEqual(before)
  })
})
