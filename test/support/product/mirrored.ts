import { createLook } from '../../../connectors/killbill/changes/look.ts'
import { rawTables } from '../../../connectors/killbill/raw-tables.ts'
import type { DatabaseConnector } from '../../../src/connector-kit/connector.ts'
import type { MirrorSource } from '../../../src/connector-kit/mirror-source.ts'

const EVERY_TENANT = { tenant: ['all'], catalog: [] }

/** The connector with a mirror of every tenant that follows these seconds instead of the clocks of the process. */
export function mirrored(
  connector: DatabaseConnector,
  seconds: () => number,
  wrap: (look: MirrorSource['look']) => MirrorSource['look'] = (look) => look,
): DatabaseConnector {
  const look = createLook(EVERY_TENANT, { wall: seconds, running: seconds, process: 'test' })
  return { ...connector, mirror: { keyType: 'integer', tables: rawTables, look: wrap(look) } }
}
