import { setTimeout } from 'node:timers/promises'
import { AppError, ConfigurationError } from '../../../core/errors.ts'
import type { Engine } from '../../../engine/engine.ts'
import type { Io } from '../io.ts'
import { paint } from '../paint.ts'
import { withoutControls } from '../table.ts'

/** How long a service waits for what `check` finds before it listens; what is found later is printed then. */
const PATIENCE_MS = 3_000

/**
 * Prints what `check` finds wrong before a service listens. It listens all the same, for what is wrong may be set right while it runs, and
 * readiness says how it is. ConfigurationError for what only a change of the configuration sets right.
 */
export async function printFindings(engine: Engine, { stderr }: Io): Promise<void> {
  const say = (level: 'warning' | 'failure', text: string) =>
    stderr.write(
      `${paint(level === 'warning' ? 'yellow' : 'red', `${level}:`, stderr.color === true)} ${withoutControls(text)}\n`,
    )
  // What the configuration itself refutes ends the start, and is said there.
  const refuted = engine.compile('mrr').catch((error: unknown) => {
    if (error instanceof ConfigurationError) throw error
  })
  const checked = Promise.all([engine.check(), refuted]).then(
    ([findings]) => {
      for (const { level, name, message } of findings) if (level !== 'ok') say(level, `${name}: ${message}`)
    },
    (error: unknown) => {
      if (error instanceof ConfigurationError) throw error
      say('failure', error instanceof AppError ? error.operatorDetail : 'the check of the billing database failed')
    },
  )
  await Promise.race([checked, setTimeout(PATIENCE_MS, undefined, { ref: false })])
  // A refusal that comes later is that of every request, and logged as such.
  checked.catch(() => {})
}
