import { killbill } from '../../connectors/killbill/index.ts'
import type { ConnectorDefinition } from '../connector-kit/definition.ts'

/** The product's own connectors; the first is the one that is meant when a configuration names none. */
export const BUILT_IN_CONNECTORS: readonly ConnectorDefinition[] = Object.freeze([killbill])
