import type { LakeDatabase } from '../cache/lake/databases/database.ts'
import { severalDatabases } from '../cache/lake/databases/several.ts'
import type { DatabaseConnector } from '../connector-kit/connector.ts'
import type { ConnectorDefinition } from '../connector-kit/definition.ts'
import { ConfigurationError } from '../core/errors.ts'
import { BUILT_IN_CONNECTORS } from './built-in.ts'
import type { Extensions } from './compose.ts'
import type { Config } from './config/config.ts'
import { connectorSettingsOf, placeOfDatabase } from './config/lake-databases.ts'

/** The connector that a configuration names. ConfigurationError for an unknown name. With several databases, it unites them. */
export function composeConnector(config: Config, extensions: Extensions = {}): DatabaseConnector {
  const definition = connectorDefinition(config, extensions)
  const databases = composeDatabases(config, definition)
  return databases === undefined ? definition.create(config.connector) : severalDatabases(databases)
}

/** The definition of the connector that a configuration names. */
export function connectorDefinition(config: Config, { connectors = [] }: Extensions): ConnectorDefinition {
  const { type } = config.connector
  const known = [...connectors, ...BUILT_IN_CONNECTORS]
  const definition = known.find((candidate) => candidate.type === type)
  if (definition !== undefined) return definition
  const names = [...new Set(known.map((candidate) => candidate.type))].join(', ')
  throw new ConfigurationError([`connector.type: there is no connector "${type}"; available: ${names}`])
}

/** The several databases of a configuration, each with its own connector. Undefined: there is one, in `database.url`. */
export function composeDatabases(
  { database, lake }: Config,
  definition: ConnectorDefinition,
): readonly LakeDatabase[] | undefined {
  return lake.databases?.map((table, number) => ({
    name: table.name,
    number,
    place: placeOfDatabase(table, database),
    connector: definition.create(connectorSettingsOf(table)),
  }))
}
