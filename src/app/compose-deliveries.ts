import { calendarOf } from '../core/calendar.ts'
import { dayOf } from '../core/periods.ts'
import type { Engine } from '../engine/engine.ts'
import type { Deliveries } from '../facades/deliveries/contract.ts'
import type { Briefings } from '../facades/deliveries/parts.ts'
import { createDeliveries } from '../facades/deliveries/service.ts'
import { logBackgroundFailure } from '../facades/http/failure.ts'
import { BRIEFING_NAMES } from '../facades/presentation/briefing/briefing.ts'
import { BUILT_IN_BRIEFINGS } from '../facades/presentation/briefing/built-in.ts'
import { channelsOf } from './channels/channels.ts'
import type { Config } from './config/config.ts'
import { clockOf, logOf } from './config/runtime.ts'

const BUILT_IN: Briefings = {
  names: () => BRIEFING_NAMES,
  plan(name) {
    const known = BRIEFING_NAMES.find((each) => each === name)
    return known === undefined ? undefined : BUILT_IN_BRIEFINGS[known]
  },
}

/** The deliveries of a configuration. Nothing is sent from the sample data. */
export function composeDeliveries(config: Config, engine: Engine): Deliveries {
  const { time_zone, base_currency } = config.definitions
  return createDeliveries({
    engine,
    briefings: BUILT_IN,
    channels: config.isSample === true ? undefined : channelsOf(config),
    today: () => dayOf(calendarOf(time_zone, clockOf(config).now()).clockNow),
    definitions: { time_zone, base_currency },
    maxLagSeconds: config.replica.max_lag_seconds,
    onFailure: (error) => logBackgroundFailure(logOf(config), error, 'deliveries'),
  })
}
