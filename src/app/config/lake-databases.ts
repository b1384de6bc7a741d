import { readPlace } from '../../cache/lake/place.ts'
import { serverAddress, serverKind } from '../../databases/addresses/read-address.ts'
import type { Config } from './config.ts'

/** A table `lake.databases`: name, schema, and the settings of the connector. */
export type DatabaseTable = NonNullable<Config['lake']['databases']>[number]

/** Settings of a database that are not those of the connector. */
const OWN = ['name', 'schema']

/** The settings of the connector for one of several databases. */
export function connectorSettingsOf(table: DatabaseTable): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(table).filter(([key]) => !OWN.includes(key)))
}

/** The schema of one of several databases. Without a catalog it is in that of `database.url`. */
export function placeOfDatabase({ schema }: DatabaseTable, { url }: Config['database']) {
  const [catalog = ''] = serverAddress(url, 'database.url').database?.split('/') ?? []
  return readPlace(schema.includes('.') ? schema : `${catalog}.${schema}`, 'lake.databases')
}

/** Problems of an address of Trino, and of several databases with the rest of a configuration. `given` are the settings that somebody has set. */
export function lakeDatabaseProblems(
  { database, lake, store }: Pick<Config, 'database' | 'lake' | 'store'>,
  given: readonly string[],
): readonly string[] {
  const { databases } = lake
  const isTrino = serverKind(database.url) === 'trino'
  const namesSchema = (url: string) => serverAddress(url, 'database.url').database?.includes('/') === true
  if (databases === undefined) {
    const hasSchema = (url: string) => database.schema !== undefined || namesSchema(url)
    return [
      ...(isTrino && !hasSchema(database.url) ? [`database.url: ${NO_SCHEMA}`] : []),
      ...(lake.publish_url !== undefined && !hasSchema(lake.publish_url) ? [`lake.publish_url: ${NO_SCHEMA}`] : []),
    ]
  }
  if (!isTrino) return ['lake.databases: several databases need Trino, database.url = "trino://host/catalog"']
  const settings = given.filter((name) => name.startsWith('connector.') && name !== 'connector.type')
  return [
    ...repeated(databases.map(({ name }) => name)).map((name) => `lake.databases: two databases have the name "${name}"`),
    ...(namesSchema(database.url) ? [`database.url: ${ONE_SCHEMA}`] : []),
    ...(database.schema === undefined ? [] : [`database.schema: ${ONE_SCHEMA}`]),
    ...(lake.publish_url !== undefined && namesSchema(lake.publish_url) ? [`lake.publish_url: ${ONE_SCHEMA}`] : []),
    ...settings.map((name) => `${name}: with lake.databases, each database has its own settings of the connector`),
    ...(lake.schema === undefined
      ? ['lake.databases: needs lake.schema, because several databases are answered from publications']
      : []),
    ...(store.url !== 'none' && store.workspace === undefined
      ? ['store.workspace: needed with lake.databases, because tenants of a database may come and go; name your company']
      : []),
    ...(lake.straight ? ['lake.straight: is not possible with lake.databases, because no question reads several databases'] : []),
  ]
}

const NO_SCHEMA = 'does not name a catalog and a schema; write trino://user@host:port/catalog/schema'
const ONE_SCHEMA = 'must not name a schema, because lake.databases name those of the billing tables'

function repeated(names: readonly string[]): readonly string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
}
