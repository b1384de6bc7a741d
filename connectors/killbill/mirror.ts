import type { MirrorSource } from '../../src/connector-kit/mirror-source.ts'
import { accountContent } from './account-content.ts'
import { createLook } from './changes/look.ts'
import { rawTables } from './raw-tables.ts'
import type { KillbillSettings } from './session.ts'

/** The raw tables of a Kill Bill database, and their changes. */
export function killbillMirror(settings: KillbillSettings): MirrorSource {
  return { keyType: 'integer', tables: rawTables, look: createLook(settings), content: accountContent }
}
