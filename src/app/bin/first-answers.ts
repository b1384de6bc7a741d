import { AppError } from '../../core/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import type { FirstLook } from '../../facades/cli/product.ts'
import { composeEngine } from '../compose.ts'
import type { Config } from '../config/config.ts'

type FirstAnswers = Pick<FirstLook, 'findings' | 'mrr_cents' | 'missing' | 'mrr_by_currency'>

/** What `check` finds wrong with a configuration, and MRR today, or what keeps it from being told. */
export async function askFirst(config: Config): Promise<FirstAnswers> {
  const { engine } = composeEngine(config)
  try {
    const findings = (await engine.check()).filter(({ level }) => level !== 'ok')
    return { findings, ...(await mrrToday(engine)) }
  } finally {
    await engine.close()
  }
}

async function mrrToday(engine: Engine): Promise<Omit<FirstAnswers, 'findings'>> {
  try {
    const { data } = await engine.query('mrr')
    return { mrr_cents: typeof data === 'number' ? data : null, missing: null, mrr_by_currency: [] }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const mrr_by_currency = error.code === 'missing_fx_rate' ? await byCurrency(engine) : []
    return { mrr_cents: null, missing: error.operatorDetail, mrr_by_currency }
  }
}

// By currency figures are in the currency itself and need no rate (D14).
async function byCurrency(engine: Engine): Promise<FirstLook['mrr_by_currency']> {
  const { data } = await engine.query('mrr', {}, { dimensions: ['currency'] })
  return Array.isArray(data) ? data : []
}
