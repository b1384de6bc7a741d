import { describe, expect, it } from 'vitest'
import { dayOfNumber, numberOfDay } from '../../src/core/periods.ts'
import { type Billed, chargesOf, type Term } from '../../src/records/billings/charges.ts'

type Told = Partial<Omit<Term, 'from' | 'to'>> & { readonly from: string; readonly to?: string }

const term = ({ from, to, ...more }: Told): Term => ({
  currency: 'USD',
  period_micros: 30_000_000,
  months: 1,
  days: 0,
  billing_day: 1,
  in_arrears: false,
  is_ahead: false,
  fixed_micros: 0,
  usage_cents: 0,
  ...more,
  from: numberOfDay(from),
  to: to === undefined ? null : numberOfDay(to),
})

const billed = (from: string, to: string, cents: number): Billed => ({ from: numberOfDay(from), to: numberOfDay(to), cents })

/** Kind, day of the charge, its days, and cents. `today` is the first day. */
function charges(terms: readonly Told[], last: string, { today = '2025-01-15', done }: { today?: string; done?: Billed } = {}) {
  const now = numberOfDay(today)
  const days = { first: now, last: numberOfDay(last), today: now, due_from: now - 1 }
  return [...chargesOf(terms.map(term), done, days)].map(({ kind, billed_on, from, to, cents }) =>
    [kind, dayOfNumber(billed_on), dayOfNumber(from), to === null ? null : dayOfNumber(to), cents].join(' '),
  )
}

describe('charges to come (D91)', () => {
  it('of months begin on the billing day, and on the last day of a month that is too short', () => {
    const leap = charges([{ from: '2023-10-31', billing_day: 31 }], '2024-05-01', {
      today: '2024-01-31',
      done: billed('2023-12-31', '2024-01-31', 3000),
    })
    expect(leap).toEqual([
      'recurring 2024-01-31 2024-01-31 2024-02-29 3000',
      'recurring 2024-02-29 2024-02-29 2024-03-31 3000',
      'recurring 2024-03-31 2024-03-31 2024-04-30 3000',
      'recurring 2024-04-30 2024-04-30 2024-05-31 3000',
    ])
    const plain = charges([{ from: '2024-10-30', billing_day: 30 }], '2025-03-30', {
      today: '2025-02-01',
      done: billed('2025-01-30', '2025-02-28', 3000),
    })
    expect(plain).toEqual(['recurring 2025-02-28 2025-02-28 2025-03-30 3000', 'recurring 2025-03-30 2025-03-30 2025-04-30 3000'])
  })

  it('a year that begins on 29 February goes on on 28 February, and is back in the next leap year', () => {
    const years = charges([{ from: '2024-02-29', billing_day: 29, months: 12 }], '2028-12-31', {
      today: '2024-02-29',
    })
    expect(years.map((text) => text.split(' ')[1])).toEqual([
      '2024-02-29',
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ])
  })

  it('a first part of months is up to the billing day, with the share of its days in the whole period', () => {
    expect(charges([{ from: '2025-01-16', billing_day: 21, months: 3, period_micros: 299_000_000 }], '2025-01-31')).toEqual([
      'recurring 2025-01-16 2025-01-16 2025-01-21 1625',
      'recurring 2025-01-21 2025-01-21 2025-04-21 29900',
    ])
    // The billing day of the month has passed, so the period ends after a whole number of periods from it.
    expect(
      charges([{ from: '2026-04-18', billing_day: 4, months: 3, period_micros: 2_079_280_000 }], '2026-07-03', {
        today: '2026-04-18',
      }),
    ).toEqual(['recurring 2026-04-18 2026-04-18 2026-07-04 175939'])
  })

  it('periods of days begin where the last billed period ends', () => {
    expect(
      charges([{ from: '2024-12-20', months: 0, days: 7 }], '2025-01-31', { done: billed('2025-01-11', '2025-01-18', 3000) }),
    ).toEqual(['recurring 2025-01-18 2025-01-18 2025-01-25 3000', 'recurring 2025-01-25 2025-01-25 2025-02-01 3000'])
  })

  it('in arrears, a period is charged at its end, and its last part at the end of the term', () => {
    expect(
      charges([{ from: '2024-12-01', to: '2025-03-11', in_arrears: true }], '2025-04-30', {
        done: billed('2024-12-01', '2025-01-01', 3000),
      }),
    ).toEqual([
      'recurring 2025-02-01 2025-01-01 2025-02-01 3000',
      'recurring 2025-03-01 2025-02-01 2025-03-01 3000',
      'recurring 2025-03-11 2025-03-01 2025-03-11 968',
    ])
  })

  it('an end that is known shortens the last period, and gives back what is billed beyond it', () => {
    expect(
      charges([{ from: '2024-12-01', to: '2025-02-15' }], '2025-12-31', { done: billed('2025-01-01', '2025-02-01', 3000) }),
    ).toEqual(['recurring 2025-02-01 2025-02-01 2025-02-15 1500'])
    expect(
      charges([{ from: '2024-12-01', to: '2025-01-20' }], '2025-12-31', { done: billed('2025-01-01', '2025-02-01', 3100) }),
    ).toEqual(['repair 2025-01-20 2025-01-20 2025-02-01 -1200'])
  })

  it('a price date within a billed period gives back its rest and charges it anew', () => {
    const terms = [
      { from: '2024-12-01', to: '2025-01-20' },
      { from: '2025-01-20', period_micros: 62_000_000 },
    ]
    expect(charges(terms, '2025-02-28', { done: billed('2025-01-01', '2025-02-01', 3100) })).toEqual([
      'repair 2025-01-20 2025-01-20 2025-02-01 -1200',
      'recurring 2025-01-20 2025-01-20 2025-02-01 2400',
      'recurring 2025-02-01 2025-02-01 2025-03-01 6200',
    ])
  })

  it('nothing is charged between two terms, and after a pause up to the billing day first', () => {
    const terms = [{ from: '2024-12-01', to: '2025-02-01' }, { from: '2025-03-11' }]
    expect(charges(terms, '2025-04-30', { done: billed('2025-01-01', '2025-02-01', 3000) })).toEqual([
      'recurring 2025-03-11 2025-03-11 2025-04-01 2032',
      'recurring 2025-04-01 2025-04-01 2025-05-01 3000',
    ])
  })

  it('a price of the start of a phase is charged once, when the phase begins after now', () => {
    const setup = { fixed_micros: 12_345_000, period_micros: 0 }
    expect(charges([{ from: '2025-02-03', is_ahead: true, ...setup }], '2025-12-31')).toEqual([
      'fixed 2025-02-03 2025-02-03  1235',
    ])
    expect(charges([{ from: '2025-01-15', ...setup }], '2025-12-31')).toEqual([])
  })

  it('usage is the mean of a month on each billing day after today, with parts at the ends of a term', () => {
    expect(
      charges([{ from: '2024-06-01', to: '2025-02-25', billing_day: 15, usage_cents: 2800, period_micros: 0 }], '2025-12-31'),
    ).toEqual(['usage 2025-02-15 2025-01-15 2025-02-15 2800', 'usage 2025-02-25 2025-02-15 2025-02-25 1000'])
  })

  it('a charge of yesterday that no item bills yet is made today, an older one is not foretold', () => {
    expect(
      charges([{ from: '2024-12-14', billing_day: 14 }], '2025-01-31', { done: billed('2024-12-14', '2025-01-14', 3000) }),
    ).toEqual(['recurring 2025-01-15 2025-01-14 2025-02-14 3000'])
    expect(
      charges([{ from: '2024-12-13', billing_day: 13 }], '2025-01-31', { done: billed('2024-12-13', '2025-01-13', 3000) }),
    ).toEqual([])
  })

  it('amounts have the decimals of their currency, and hundredths', () => {
    const first = (currency: string) =>
      charges([{ from: '2025-01-16', billing_day: 21, currency, period_micros: 1_234_567 }], '2025-01-20')[0]
        ?.split(' ')
        .at(-1)
    // 5 of 31 days are 0.19912…
    expect([first('USD'), first('JPY'), first('KWD')]).toEqual(['20', '0', '20'])
  })

  it('a price that is not known charges nothing', () => {
    expect(charges([{ from: '2024-12-01', period_micros: null }], '2025-12-31')).toEqual([])
  })
})
