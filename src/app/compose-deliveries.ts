import { calendarOf } from '../core/calendar.ts'
import { dayOf } from '../core/periods.ts'
import type { Engine } from '../engine/engine.ts'
import { BUILT_IN } from '../facades/deliveries/briefings.ts'
import type { Deliveries } from '../facades/deliveries/contract.ts'
import { createDeliveries } from '../facades/deliveries/service.ts'
import { logBackgroundFailure } from '../facades/http/failure.ts'
import { channelsOf } from './channels/channels.ts'
import type { Config } from './config/config.ts'
import { clockOf, logOf } from './config/runtime.ts'

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
