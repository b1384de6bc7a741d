import type { SqlCatalog } from '../../compiler/catalog.ts'
import { compileTemplate } from '../../compiler/compile.ts'
import type { Dialect } from '../../compiler/dialect.ts'
import type { BoundValue, Fragment } from '../../compiler/fragment.ts'
import type { Statement } from '../../compiler/statement.ts'
import type { ConnectorSession } from '../../connector-kit/connector.ts'
import type { EngineDependencies } from '../dependencies.ts'

/** What a template of sql/data is compiled against that reads neither rates nor a window. */
export interface DataSurroundings {
  readonly deps: Pick<EngineDependencies, 'connector'>
  readonly catalog: SqlCatalog
  readonly connector: Pick<ConnectorSession, 'inline' | 'aliases'>
  readonly params: Readonly<Record<string, BoundValue>>
}

/** Statement of sql/data/<query>.sql, narrowed by conditions that begin with `and`. */
export function compileDataQuery(
  query: string,
  filters: Fragment,
  { deps, catalog, connector, params }: DataSurroundings,
  dialect: Dialect,
): Statement {
  return compileTemplate({
    template: catalog.query('data', query, dialect.name),
    catalog,
    inline: connector.inline,
    aliases: connector.aliases,
    params,
    slots: { filters },
    dialect,
    label: `data.${query} ${deps.connector.type}/${dialect.name}`,
  })
}
