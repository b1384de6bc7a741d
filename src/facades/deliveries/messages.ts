import { type AlertCondition, type DeliveryRecord, NOTHING_FIRES } from '../../core/delivery.ts'
import { daysBefore } from '../../core/periods.ts'
import type { AskOptions } from '../../engine/engine.ts'
import { type Block, type Briefing, type BriefingPlan, makeBriefing } from '../presentation/briefing/briefing.ts'
import { judgeFigure, readFigure } from './conditions/figure.ts'
import { judgeRows, movementKeys } from './conditions/rows.ts'
import { findingKeys, judgeService } from './conditions/service.ts'
import type { Judging, Verdict } from './conditions/verdict.ts'
import { type DeliveryParts, engineFor } from './parts.ts'

/** A message of a run, or the reason why there is none. */
export interface Composed {
  readonly briefing?: Briefing
  readonly silence: string
  /** The state to remember. Undefined without a condition. */
  readonly verdict?: Pick<Verdict, 'state' | 'rows'>
}

interface Circumstances {
  readonly options: AskOptions
  /** Sentences that come first: that it is late, or how old the data is. */
  readonly notices: readonly string[]
  /** True if a receiver has accepted the run already. */
  readonly isBegun: boolean
}

/** Makes the current message of a delivery. AppError of any question. */
export async function composeMessage(
  delivery: DeliveryRecord,
  parts: DeliveryParts,
  { options, notices, isBegun }: Circumstances,
): Promise<Composed> {
  const engine = engineFor(delivery, parts.engine)
  const today = parts.today()
  const { condition, segment } = delivery
  const store = await parts.engine.deliveries.store()
  const knownRows: Judging['knownRows'] = (rows) => store.knownRows(delivery.id, rows)
  const judging = { engine, today, options, state: delivery.state, isBegun, knownRows }
  const verdict = condition === null ? undefined : await judge(condition, judging)
  if (verdict !== undefined && verdict.message === undefined) return { silence: verdict.silence, verdict }
  const base = delivery.briefing === null ? undefined : parts.briefings.plan(delivery.briefing)
  const yesterday = daysBefore(today, 1)
  const message = verdict?.message
  const plan: BriefingPlan = {
    name: base?.name ?? 'alert',
    daysOf: base?.daysOf ?? (() => ({ start: yesterday, end: yesterday })),
    titleOf: (days) => {
      const title = message === undefined ? (base?.titleOf(days) ?? delivery.name) : `${delivery.name}: ${message.title}`
      return segment === null ? title : `${title} (segment ${segment})`
    },
    parts: [...(message?.parts ?? []), ...(base?.parts ?? [])],
  }
  const isOfService = condition?.kind === 'service' && base === undefined
  const made = isOfService ? await withoutFigures(plan, parts, judging) : await makeBriefing(plan, engine, today, options)
  const noted: Block = { kind: 'sentences', title: 'Please note', page: '', sentences: notices }
  const briefing = {
    ...made,
    blocks: [...(notices.length === 0 ? [] : [noted]), ...made.blocks.map((block) => inSegment(block, segment))],
  }
  return { briefing, silence: '', ...(verdict !== undefined && { verdict }) }
}

function judge(condition: AlertCondition, judging: Judging): Promise<Verdict> {
  switch (condition.kind) {
    case 'figure':
      return judgeFigure(condition, judging)
    case 'rows':
      return judgeRows(condition, judging)
    case 'service':
      return judgeService(condition, judging)
  }
}

/** Asks for what a condition watches. Resolves to the keys of the rows that are there now. AppError of the question. */
export async function tryCondition(
  delivery: Pick<DeliveryRecord, 'segment' | 'condition'>,
  parts: DeliveryParts,
  options: AskOptions,
): Promise<readonly string[]> {
  const { condition } = delivery
  const engine = engineFor(delivery, parts.engine)
  const judging = { engine, today: parts.today(), options, state: NOTHING_FIRES }
  switch (condition?.kind) {
    case 'figure':
      await readFigure(engine, condition, options)
      return []
    case 'rows':
      return movementKeys(condition, judging)
    case 'service':
      return findingKeys(condition, judging)
    case undefined:
      return []
  }
}

function inSegment(block: Block, segment: string | null): Block {
  if (segment === null) return block
  const { page } = block
  return { ...block, page: `${page}${page.includes('?') ? '&' : '?'}segment=${encodeURIComponent(segment)}` }
}

/** A message about the service, which has no figures. It is made also if the billing database cannot be reached. */
async function withoutFigures(plan: BriefingPlan, parts: DeliveryParts, judging: Judging): Promise<Briefing> {
  const days = plan.daysOf(judging.today)
  const asking = { ...judging, days, seen: <T>(answer: T) => answer, warn: () => {} }
  const blocks = await Promise.all(plan.parts.map((part) => part.ask(asking)))
  const shown = blocks.filter((block) => block !== undefined)
  return { ...(await plainBriefing(plan.titleOf(days), shown, parts)), days }
}

/** A message without figures. */
async function plainBriefing(title: string, blocks: readonly Block[], parts: DeliveryParts): Promise<Briefing> {
  const today = parts.today()
  const described = await parts.engine.definitions().catch(() => undefined)
  const currency = described?.options.find(({ key }) => key === 'base_currency')?.value
  const zone = parts.definitions.time_zone
  return {
    ...{ name: 'alert', title, days: { start: today, end: today }, blocks, left_out: [], warnings: [] },
    data_through: null,
    base_currency: String(currency ?? parts.definitions.base_currency ?? 'the base currency'),
    ...(zone !== 'UTC' && { time_zone: zone }),
    definitions: described?.hash ?? 'unknown',
  }
}

/** The message that tests the receivers of a delivery. */
export function testMessage(
  { name, briefing, condition }: Pick<DeliveryRecord, 'name' | 'briefing' | 'condition'>,
  parts: DeliveryParts,
) {
  const what = condition === null ? `the briefing "${briefing}"` : 'an alert'
  const sentences = [`This is a test. Plumbline sends ${what} here, under the name "${name}".`]
  return plainBriefing('Test of a delivery', [{ kind: 'sentences', title: name, page: '', sentences }], parts)
}
