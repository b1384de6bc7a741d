import type { Executor, ReplicaState } from '../../../src/ports/executor.ts'

/** The executor over a server that says of itself what is given, whatever it is. */
export function executorInState(executor: Executor, state: ReplicaState): Executor {
  return {
    ...executor,
    variant: executor.variant,
    state: async () => state,
    withSnapshot: (work, { onReplicaLag, ...options } = {}) => {
      onReplicaLag?.(state)
      return executor.withSnapshot(work, options)
    },
  }
}
