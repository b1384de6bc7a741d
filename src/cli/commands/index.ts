import type { Command } from '../command.ts'
import { DISCOVERY_COMMANDS } from './discovery.ts'
import { FX_COMMAND } from './fx.ts'
import { MRR_COMMANDS } from './mrr.ts'
import { SERVICE_COMMANDS } from './service.ts'
import { SETUP_COMMANDS } from './setup.ts'

/** The tree of commands. */
export const COMMANDS: Command = {
  name: '',
  description: 'Subscription analytics read straight from the billing engine’s own database',
  options: [],
  subCommands: [...MRR_COMMANDS, ...DISCOVERY_COMMANDS, FX_COMMAND, ...SERVICE_COMMANDS, ...SETUP_COMMANDS],
}
