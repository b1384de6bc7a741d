import type { SqlCatalog } from '../../src/compiler/catalog.ts'
import type { Dialect } from '../../src/compiler/dialect.ts'
import { parseTemplate, type Template } from '../../src/compiler/template.ts'
import type { DatabaseConnector } from '../../src/connector-kit/connector.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Executor } from '../../src/ports/executor.ts'
import type { Store } from '../../src/ports/store.ts'
import { RELATION_CONTRACTS } from '../../src/relations/contracts.ts'
import { CATALOG, exampleEngine } from '../support/product/example-engine.ts'

const SUPPLIED = [...RELATION_CONTRACTS.filter(({ kind }) => kind !== 'derived').map(({ name }) => name), 'bundle_line']

/** A connector whose relations are tables of the same name, so that statements show the product's SQL and nothing of an engine's. */
const stored: DatabaseConnector = {
  type: 'stored',
  relationsDirectory: '',
  capabilities: Object.fromEntries(SUPPLIED.map((name) => [name, 'exact'])),
  open: async () => ({
    sources: [],
    params: { usage_in_mrr: true },
    inline: new Map(),
    aliases: new Map(),
    currencies: ['EUR', 'USD'],
    rates: async () => [],
  }),
  check: async () => [],
}

const WINDOWED = `-- relation: subscription_span
-- param: window_start timestamp
-- param: window_end timestamp
select stored.* from subscription_span as stored
where stored.valid_from <= :window_end and (stored.valid_to is null or stored.valid_to >= :window_start)`

const templates = new Map<string, Template>(
  SUPPLIED.map((name) => {
    const text = name === 'subscription_span' ? WINDOWED : `-- relation: ${name}\nselect stored.* from ${name} as stored`
    return [name, parseTemplate(`${name}.sql`, text)]
  }),
)

const catalog: SqlCatalog = {
  ...CATALOG,
  relation: (name, dialect) => templates.get(name) ?? CATALOG.relation(name, dialect),
}

/** An engine that compiles for the dialect and has no database. */
export function storedEngine(dialect: Dialect, store: Store): Engine {
  const refuse = () => {
    throw new Error('there is no database to ask')
  }
  const executor: Executor = {
    dialect,
    variant: dialect.name,
    withSnapshot: (work) => work({ dialect, query: refuse, stream: refuse }),
    state: refuse,
    writePrivileges: refuse,
    tableSizes: refuse,
    load: refuse,
    close: async () => {},
  }
  return exampleEngine(executor, { connector: stored, catalog, store })
}
