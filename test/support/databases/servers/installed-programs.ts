import { inject } from 'vitest'
import type { OwnServer, ServerPrograms } from './find-programs.ts'

/** The programs of a kind of server; undefined where they are not on this machine, which the end of the run tells. */
export function programsOf<Name extends OwnServer>(name: Name): ServerPrograms[Name] {
  return inject('serverPrograms')[name]
}
