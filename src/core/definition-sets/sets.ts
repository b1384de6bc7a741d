import type { DefinitionSet, Definitions, SetOptions } from '../definitions.ts'
import { BUILT_IN_SETS } from './built-in-sets.ts'

/** The name of the set that a request without `definitions` uses: the configuration. */
export const DEFAULT_SET = 'default'

/** The definition sets of a service: the configuration, the built-in sets and the configured sets. */
export interface DefinitionSets {
  /** Names of all sets, the default set first. */
  readonly names: readonly string[]
  /** The set of that name. Undefined for an unknown name. */
  find(name: string): DefinitionSet | undefined
  /** All options of the set, with those of the configuration that it does not state. Without a name, or for an unknown one, the default set. */
  definitionsOf(name: string | undefined): Definitions
}

/** The sets that a request may name, and their definitions. */
export type AskedSets = Pick<DefinitionSets, 'names' | 'definitionsOf'>

/** The sets over a configuration: built-in ones, those of the connector and configured ones. */
export function createDefinitionSets(
  definitions: Definitions,
  ofConnector: readonly DefinitionSet[] = [],
  configured: Readonly<Record<string, SetOptions>> = {},
): DefinitionSets {
  const sets = new Map(
    [
      { name: DEFAULT_SET, description: 'The definitions of the configuration.', options: {} },
      ...BUILT_IN_SETS,
      ...ofConnector,
      ...Object.entries(configured).map(([name, options]) => ({ name, description: 'A set of the configuration.', options })),
    ].map((set) => [set.name, set] as const),
  )
  return {
    names: [...sets.keys()],
    find: (name) => sets.get(name),
    definitionsOf: (name) => withOptions(definitions, name === undefined ? {} : (sets.get(name)?.options ?? {})),
  }
}

/** The name of a set as a request gives it. Undefined without one; the parser reports a malformed value. */
export function setNamed(params: Readonly<Record<string, unknown>>): string | undefined {
  const given = Object.hasOwn(params, 'definitions') ? params['definitions'] : undefined
  const [first] = Array.isArray(given) ? given : [given]
  return typeof first === 'string' && first !== '' ? first : undefined
}

/** The definitions with these options in place of those that it has. */
export function withOptions(definitions: Definitions, options: SetOptions): Definitions {
  const stated = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  return { ...definitions, ...stated }
}
