import type { Command } from '../command.ts'
import { ATTRIBUTES_COMMAND } from './attributes.ts'
import { CHURN_COMMAND } from './churn.ts'
import { DISCOVERY_COMMANDS } from './discovery.ts'
import { EXPLAIN_COMMAND } from './explain.ts'
import { FX_COMMAND } from './fx.ts'
import { LTV_COMMAND } from './ltv.ts'
import { MRR_COMMANDS } from './mrr.ts'
import { RETENTION_COMMAND } from './retention.ts'
import { SEGMENTS_COMMAND } from './segments.ts'
import { SERVICE_COMMANDS } from './service.ts'
import { SETUP_COMMANDS } from './setup.ts'
import { SUMMARY_COMMAND } from './summary.ts'
import { TRIALS_COMMAND } from './trials.ts'
import { USAGE_REVENUE_COMMAND } from './usage-revenue.ts'

/** The tree of commands. */
export const COMMANDS: Command = {
  name: '',
  description: 'Subscription analytics read straight from the billing engine’s own database',
  options: [],
  subCommands: [
    SUMMARY_COMMAND,
    ...MRR_COMMANDS,
    CHURN_COMMAND,
    RETENTION_COMMAND,
    LTV_COMMAND,
    TRIALS_COMMAND,
    USAGE_REVENUE_COMMAND,
    ...DISCOVERY_COMMANDS,
    EXPLAIN_COMMAND,
    SEGMENTS_COMMAND,
    ATTRIBUTES_COMMAND,
    FX_COMMAND,
    ...SERVICE_COMMANDS,
    ...SETUP_COMMANDS,
  ],
}
