import { expect, it } from 'vitest'
import { itemNote } from '../../connectors/killbill/evidence/records.ts'

const ITEM = { id: 'i', record_id: 7, type: 'EXTERNAL_CHARGE', amount: '75.000000000', created_date: '2025-02-10 08:00:00' }

it.each([
  [{ start_date: '2025-02-11', end_date: '2025-03-11' }, 'EXTERNAL_CHARGE item of 75 from 2025-02-11 to 2025-03-11'],
  [{ start_date: '2025-02-11', end_date: null }, 'EXTERNAL_CHARGE item of 75 from 2025-02-11'],
  // The engine writes charges without days, too.
  [{ start_date: null, end_date: null }, 'EXTERNAL_CHARGE item of 75 on 2025-02-10'],
])('an item with the days %o has the note "%s"', (days, note) => {
  expect(itemNote({ ...ITEM, ...days })).toMatchObject({ table: 'invoice_items', record_id: 7, id: 'i', note })
})
