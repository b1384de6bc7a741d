import { createHash } from 'node:crypto'
import type { WatchedService } from '../../../core/delivery.ts'
import { AppError } from '../../../core/errors.ts'
import { daysBefore } from '../../../core/periods.ts'
import type { Block, Part } from '../../presentation/briefing/briefing.ts'
import type { ConditionOf, Judging, Verdict } from './verdict.ts'

type ServiceCondition = ConditionOf<'service'>

/** Days and seconds of a verification, and findings that a message tells. */
const VERIFIED_DAYS = 31
const VERIFY_SECONDS = 60
const MOST_FINDINGS = 10
/** The largest page of a list. */
const WHOLE_LIST = 1_000

/** The state of one check. `problem`: the sentences about it; undefined if all is well. */
interface Look {
  readonly problem?: readonly string[]
  readonly page: string
  /** Keys of findings that are there. A message names a new one once. */
  readonly rows?: readonly { readonly key: string; readonly sentence: string }[]
}

const TITLES: Readonly<Record<WatchedService, string>> = {
  lag: 'The billing data is behind',
  verify: 'A check of the numbers fails',
  exchange_rates: 'An exchange rate is missing',
  billing_health: 'New findings of billing health',
}

const LOOKS: Readonly<Record<WatchedService, (judging: Pick<Judging, 'engine' | 'today' | 'options'>) => Promise<Look>>> = {
  async lag({ engine }) {
    const { ok, lag_seconds, reason } = (await engine.readiness()).checks.replica
    const behind =
      lag_seconds === null
        ? 'The billing database cannot be read, or its lag is not known.'
        : `The replica is ${lag_seconds} s behind.`
    return { page: 'health', ...(!ok && { problem: [behind, ...(reason === undefined ? [] : [reason])] }) }
  },
  async verify({ engine, today, options }) {
    const asked = { start: daysBefore(today, VERIFIED_DAYS), end: today, time_limit_s: String(VERIFY_SECONDS) }
    const { checks } = await engine.verification.run(asked, { ...(options.signal && { signal: options.signal }) })
    const failed = checks.filter(({ ok }) => ok === false)
    return { page: 'health', ...(failed.length > 0 && { problem: failed.map(({ name }) => `The check "${name}" fails.`) }) }
  },
  async exchange_rates({ engine, options }) {
    const missing = await engine.rates.missing(options)
    const problem = missing.map(
      ({ from, to, first_day, last_day, count }) =>
        `${count} amounts from ${first_day} to ${last_day} need a rate from ${from} to ${to}.`,
    )
    return { page: 'exchange-rates', ...(problem.length > 0 && { problem }) }
  },
  async billing_health({ engine, options }) {
    const answer = await engine.billingFindings({ state: 'open', limit: String(WHOLE_LIST) }, {}, options)
    const { rows } = answer.data as {
      readonly rows: readonly { readonly class: string; readonly subscription_id: string; readonly sentence: string }[]
    }
    return {
      page: 'billing-health',
      rows: rows.map(({ class: kind, subscription_id, sentence }) => ({
        key: createHash('sha256')
          .update(JSON.stringify(['finding', kind, subscription_id]))
          .digest('hex'),
        sentence,
      })),
    }
  },
}

/** Judges the state of the service. A message goes out when a check fails, once when it is well again, and for each new finding. */
export async function judgeService({ checks }: ServiceCondition, judging: Judging): Promise<Verdict> {
  const { state, knownRows, isBegun } = judging
  const looks = await Promise.all(checks.map(async (check) => ({ check, look: await lookAt(check, judging) })))
  const rows = looks.flatMap(({ look }) => look.rows ?? [])
  const known = await knownRows(rows.map(({ key }) => key))
  const firing = looks.filter(({ look }) => look.problem !== undefined).map(({ check }) => check)
  const blocks = looks.flatMap(({ check, look }): readonly Block[] => {
    const { page, problem } = look
    const fresh = (look.rows ?? []).filter(({ key }) => !known.has(key)).map(({ sentence }) => sentence)
    const isNew = problem !== undefined && (isBegun || !state.firing.includes(check))
    const isOver = problem === undefined && state.firing.includes(check)
    const title = TITLES[check]
    return [
      ...(isNew ? [{ kind: 'sentences', title, page, sentences: problem } as const] : []),
      ...(isOver ? [{ kind: 'sentences', title: `${title} no longer`, page, sentences: ['It is well again.'] } as const] : []),
      ...(fresh.length > 0 ? [{ kind: 'sentences', title, page, sentences: told(fresh) } as const] : []),
    ]
  })
  const verdict = { silence: 'Nothing has changed.', state: { held: 0, firing }, rows: rows.map(({ key }) => key) }
  if (blocks.length === 0) return verdict
  const parts = blocks.map((block): Part => ({ title: block.title, ask: async () => block }))
  return { ...verdict, message: { title: blocks.map(({ title }) => title).join(', '), parts } }
}

function told(sentences: readonly string[]): readonly string[] {
  const more = sentences.length - MOST_FINDINGS
  return [...sentences.slice(0, MOST_FINDINGS), ...(more > 0 ? [`${more} more are left out.`] : [])]
}

/** A check that cannot be made is a problem too, unless the billing engine lacks what it needs. */
async function lookAt(check: WatchedService, judging: Judging): Promise<Look> {
  try {
    return await LOOKS[check](judging)
  } catch (error) {
    judging.options.signal?.throwIfAborted()
    if (!(error instanceof AppError)) throw error
    return error.code === 'unsupported_by_connector' ? { page: 'health' } : { page: 'health', problem: [error.message] }
  }
}

/** The keys of all findings that are there now. AppError `unsupported_by_connector` if the billing engine has none. */
export async function findingKeys(
  { checks }: ServiceCondition,
  judging: Pick<Judging, 'engine' | 'today' | 'options'>,
): Promise<readonly string[]> {
  if (!checks.includes('billing_health')) return []
  return ((await LOOKS.billing_health(judging)).rows ?? []).map(({ key }) => key)
}
