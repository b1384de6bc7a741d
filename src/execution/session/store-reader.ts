import { compileTemplate } from '../../compiler/compile.ts'
import type { Statement } from '../../compiler/statement.ts'
import type { StoreReader } from '../../metrics/readings/context.ts'
import type { Row } from '../../ports/rows.ts'
import type { StoreSnapshot } from '../../ports/store.ts'
import type { RunContext } from '../run.ts'
import type { RequestSession } from './session.ts'
import { switchedOff } from './stores.ts'

/** Runs a compiled statement in a snapshot of the store. */
export type RunInStore = (snapshot: StoreSnapshot, statement: Statement) => Promise<readonly Row[]>

type StoreContext = Pick<RunContext, 'deps' | 'session' | 'runInStore' | 'signal'>

/**
 * Opens one snapshot of the side store. Metrics run templates in it, over the relations of sql/store and in the store's own
 * dialect. The snapshot has another instant than that of the billing database, because no snapshot spans two databases.
 */
export function storeReader({ deps, session, runInStore = runAsIs, signal }: StoreContext) {
  return async <T>(work: (store: StoreReader) => Promise<T>): Promise<T> => {
    const { store, connector } = deps
    if (store?.withSnapshot === undefined || !store.enabled) throw switchedOff('Metrics of stored data', connector.type)
    return store.withSnapshot(
      (snapshot) =>
        work({
          run: (run) => runInStore(snapshot, compileStored(run, session, snapshot)),
        }),
      { ...(signal === undefined ? {} : { signal }) },
    )
  }
}

/** Runs a statement of the store without more. */
export const runAsIs: RunInStore = (snapshot, statement) => snapshot.query(statement)

function compileStored(
  { template: name, slots, params, inline = [] }: Parameters<StoreReader['run']>[0],
  { catalog, workspace, params: common }: RequestSession,
  { dialect }: StoreSnapshot,
): Statement {
  const [metric = '', query = ''] = name.split('/')
  return compileTemplate({
    template: catalog.query(metric, query, dialect.name),
    catalog,
    inline: new Map(inline.map((relation) => [relation.name, relation])),
    params: { ...common, workspace: workspace.name, ...params },
    slots: slots === undefined ? {} : { ...slots },
    dialect,
    label: `${metric}.${query} store/${dialect.name}`,
  })
}
