import { OPTIONS } from '../core/definitions.ts'
import { LEDGER_PARAMETERS } from './ledger-parameters.ts'

/** The currency of amounts is an option that no definition set may state. */
const OF_CONFIGURATION = 'base_currency'

/** Names that are refused with the reason: the options of the definitions, except those of the ledger, which are parameters of its queries. */
export const STAGED_PARAMETERS: readonly string[] = OPTIONS.map(({ key }) => key).filter(
  (key) => !Object.hasOwn(LEDGER_PARAMETERS, key),
)

/** The reason why a reserved name is no parameter, as the end of a sentence. */
export function stagedReason(name: string): string {
  if (name === OF_CONFIGURATION) return 'an option of the configuration, and every answer has its currency'
  return 'an option of a definition set, and "definitions" names the set'
}
