import { instantCell, integerCell, textCell, textOf } from '../../ports/cells.ts'
import type { Row } from '../../ports/rows.ts'
import type { InboxEntry } from '../../ports/source-store.ts'
import { instantFromStore } from './instants.ts'

/** An entry of the inbox as the rest of the program has it. */
export function entryOf(row: Row): InboxEntry {
  return {
    id: textOf(row, 'id'),
    source_id: textOf(row, 'source_id'),
    entity: textOf(row, 'entity'),
    entity_id: textOf(row, 'entity_id'),
    operation: textOf(row, 'operation'),
    received_at: instantFromStore(textOf(row, 'received_at')),
    attempts: integerCell(row, 'attempts'),
    next_attempt_at: instantCell(row, 'next_attempt_at'),
    error: textCell(row, 'error'),
    claim: textCell(row, 'claim'),
  }
}
