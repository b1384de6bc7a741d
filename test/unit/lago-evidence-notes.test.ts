import { describe, expect, it } from 'vitest'
import {
  amountTexts,
  feeNote,
  fixedChargeNote,
  invoiceNote,
  planNote,
  settlementNote,
  versionNote,
} from '../../connectors/lago/evidence-notes.ts'

const amount = amountTexts(
  new Map([
    ['JPY', '100'],
    ['KWD', '0.1'],
  ]),
)
const AT = '2025-08-12 03:57:23.670518'

describe('sentences about rows of Lago', () => {
  it('write amounts in the units of the currency', () => {
    expect([amount(10042, 'USD'), amount(2939, 'JPY'), amount('12345', 'KWD')]).toEqual(['100.42 USD', '2939 JPY', '12.345 KWD'])
  })

  it('say what a plan costs, its period and its trial', () => {
    const plan = {
      id: 'a',
      code: 'team',
      interval: 1,
      amount_cents: 2900,
      amount_currency: 'USD',
      trial_period: 14,
      updated_at: AT,
    }
    expect(planNote(plan, amount).note).toBe('plan team now costs 29 USD monthly with a trial of 14 days')
    const unpriced = { ...plan, interval: null, amount_cents: null, trial_period: null }
    expect(planNote(unpriced, amount).note).toBe('plan team now has its price in the product catalog')
  })

  it('say what was edited, and name the row by its number', () => {
    const edit = { id: '7', item_type: 'Plan', created_at: AT, amount_before: '6000', amount_after: '6600' }
    expect(versionNote(edit, amount, { code: 'solo', currency: 'USD' })).toEqual({
      table: 'versions',
      record_id: 7,
      id: null,
      occurred_at: '2025-08-12T03:57:23.670Z',
      note: 'price of plan solo changed on 2025-08-12 from 60 USD to 66 USD',
    })
  })

  it('say what was charged and paid', () => {
    const fee = { id: 'f', amount_cents: 600, amount_currency: 'USD', served_from: '2025-01-01', succeeded_at: null }
    expect(feeNote(fee, amount).note).toBe('usage of 6 USD from 2025-01-01')
    const charge = {
      id: 'c',
      code: 'seat',
      charge_model: 'volume',
      properties: '{"volume_ranges": []}',
      created_at: AT,
      deleted_at: null,
    }
    expect(fixedChargeNote(charge).note).toBe('fixed charge seat now volume, created on 2025-08-12')
    const invoice = {
      id: 'i',
      number: '',
      issuing_date: null,
      created_at: AT,
      committed_at: AT,
      total_amount_cents: 5,
      currency: 'USD',
    }
    expect(invoiceNote(invoice, amount).note).toBe('invoice of 2025-08-12, 0.05 USD')
    const paid = { id: 'p', table_name: 'payments', kind: 'manual', amount_cents: 500, amount_currency: 'USD', settled_at: AT }
    expect(settlementNote(paid, amount)).toMatchObject({ table: 'payments', note: 'manual payment of 5 USD on 2025-08-12' })
    const mark = { ...paid, id: '9', table_name: 'versions', kind: 'mark', amount_cents: null, amount_currency: null }
    expect(settlementNote(mark, amount)).toMatchObject({ record_id: 9, note: 'invoice marked as paid on 2025-08-12' })
  })
})
