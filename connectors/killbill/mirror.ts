import type { EngineColumns, MirrorSource } from '../../src/connector-kit/mirror-source.ts'
import { accountContent } from './account-content.ts'
import { createLook } from './changes/look.ts'
import { kindOfColumn } from './column-kinds.ts'
import { rawTables } from './raw-tables.ts'
import { READ_COLUMNS } from './required-schema.ts'
import type { KillbillSettings } from './session.ts'

/** A table that only notices of billing health read. It may be the largest. */
const USAGE = 'rolled_up_usage'

const COLUMNS: EngineColumns = {
  tables: [...new Set([...READ_COLUMNS].map((name) => name.slice(0, name.indexOf('.'))))].filter((table) => table !== USAGE),
  kindOf: kindOfColumn,
  key: 'record_id',
}

/** The raw tables of a Kill Bill database, and their changes. */
export function killbillMirror(settings: KillbillSettings): MirrorSource {
  return { keyType: 'integer', tables: rawTables, look: createLook(settings), content: accountContent, columns: COLUMNS }
}
