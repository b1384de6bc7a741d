import { DEFAULT_SET, type DefinitionSets } from '../core/definition-sets/sets.ts'
import { OPTIONS } from '../core/definitions.ts'
import { packageVersion } from '../core/package-root.ts'
import { hashDefinitions } from '../execution/session/session.ts'
import { collectIssues, throwIssues } from '../query/issues.ts'
import { choice } from '../query/parameter-types.ts'
import { readValue } from '../query/raw-parameters.ts'

/** A definition set, with its value of each option. */
export interface DefinitionsAnswer {
  readonly name: string
  readonly description: string
  /** Version of the product. */
  readonly version: string
  /** The value of `x-definitions` in answers under this set. */
  readonly hash: string
  readonly options: readonly {
    readonly key: string
    readonly value: string | number | boolean
    readonly default: string | number | boolean | null
    /** The values of an option that has few. Null: a value of another form, as the description says. */
    readonly choices: readonly (string | number | boolean)[] | null
    readonly description: string
  }[]
  /** Names of all sets. */
  readonly sets: readonly string[]
}

/** The setting of the configuration that is no option of a set. */
const CLOSE_DAYS = {
  key: 'ledger.close_days',
  default: null,
  choices: null,
  description: 'Ledger: days after the end of a month on which its books are closed',
} as const

/** Describes the set of that name. `base` is the base currency of the service. AppError `invalid_value` for an unknown name. */
export function describeSet(sets: DefinitionSets, given: unknown, base: string): DefinitionsAnswer {
  const { report, issues } = collectIssues()
  const name = readValue(choice(sets.names), given, 'params.definitions', report)?.value ?? DEFAULT_SET
  throwIssues(issues)
  const definitions = { ...sets.definitionsOf(name), base_currency: base }
  return {
    name,
    description: sets.find(name)?.description ?? '',
    version: packageVersion(),
    hash: hashDefinitions(definitions),
    options: [
      ...OPTIONS.map(({ key, ...option }) => ({ key, value: definitions[key], ...option })),
      ...(definitions.close_days === undefined ? [] : [{ ...CLOSE_DAYS, value: definitions.close_days }]),
    ],
    sets: sets.names,
  }
}
