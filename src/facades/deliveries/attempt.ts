import { type DeliveryRecord, type DeliveryRun, receiverKey } from '../../core/delivery.ts'
import { AppError } from '../../core/errors.ts'
import type { DeliveryStore, RunOutcome } from '../../engine/engine.ts'
import { composeMessage } from './messages.ts'
import type { DeliveryParts } from './parts.ts'
import { failureText, sendTo } from './send.ts'
import { DAY_MS, MINUTE_MS } from './times.ts'

/** Pauses before the second attempt of a run, and before the next ones. After the last attempt, the run has failed. */
const RETRIES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS] as const
/** Longest wait of a run for a replica that lags, and the pause between two looks. */
const LAG_WAIT_MS = 2 * 60 * MINUTE_MS
const LAG_LOOK_MS = MINUTE_MS
/** A message that comes later than this after its time says so. */
const LATE_MS = 15 * MINUTE_MS

/** The end of an attempt, and the rows that count as known then. */
interface Attempted {
  readonly outcome: RunOutcome
  readonly rows?: readonly string[]
}

/** Makes one attempt of a run: looks at the lag, judges the condition, makes the message and sends it to each receiver that has not accepted it. */
export async function attemptRun(
  run: DeliveryRun,
  {
    store,
    parts,
    now,
    signal,
  }: { readonly store: DeliveryStore; readonly parts: DeliveryParts; readonly now: () => Date; readonly signal: AbortSignal },
): Promise<Attempted> {
  const delivery = await store.get(run.delivery_id)
  const missed = missedBecause(run, delivery, (await store.runs(run.delivery_id, 1))[0], now())
  if (missed !== undefined || delivery === undefined) return { outcome: { kind: 'over', status: 'missed', error: missed ?? '' } }
  const failed = (error: string): RunOutcome => {
    const pause = RETRIES_MS[run.attempts]
    if (pause === undefined) return { kind: 'over', status: 'failed', error }
    return { kind: 'later', at: new Date(now().getTime() + pause).toISOString(), error, counts: true }
  }
  try {
    const lag = await behindText(delivery, parts)
    const waited = now().getTime() - Date.parse(run.started_at)
    if (lag !== undefined && waited < LAG_WAIT_MS) return { outcome: waiting(lag, now()) }
    const notices = [...lateNotice(delivery, run, now()), ...(lag === undefined ? [] : [lag])]
    const isBegun = run.accepted.length > 0
    const { briefing, silence, verdict } = await composeMessage(delivery, parts, { options: { signal }, notices, isBegun })
    const state = verdict === undefined ? {} : { state: verdict.state }
    const rows = verdict?.rows ?? []
    if (briefing === undefined) return { outcome: { kind: 'over', status: 'silent', error: silence, ...state }, rows }
    const { accepted, failures } = await sendToAll(delivery, run, { briefing, store, parts, signal })
    if (failures.length === 0) return { outcome: { kind: 'over', status: 'sent', error: null, ...state }, rows }
    const outcome = failed(failures.join(' '))
    // Somebody knows it, so it is not told again in the next slot.
    const isKnown = outcome.kind === 'over' && accepted.length > 0
    return isKnown ? { outcome: { ...outcome, ...state }, rows } : { outcome }
  } catch (error) {
    signal.throwIfAborted()
    const isLagging = error instanceof AppError && error.code === 'replica_lagging'
    if (isLagging && now().getTime() - Date.parse(run.started_at) < LAG_WAIT_MS) return { outcome: waiting(error.message, now()) }
    if (!(error instanceof AppError)) parts.onFailure(error)
    return { outcome: failed(failureText(error)) }
  }
}

/** Why a run is no longer to be sent. */
function missedBecause(
  run: DeliveryRun,
  delivery: DeliveryRecord | undefined,
  newest: DeliveryRun | undefined,
  now: Date,
): string | undefined {
  if (delivery?.enabled !== true) return 'The delivery was switched off.'
  if (newest !== undefined && newest.due_at > run.due_at) return 'A later run came before it was sent.'
  return now.getTime() - Date.parse(run.due_at) > DAY_MS ? 'It could not be sent within 24 hours.' : undefined
}

/** How far the data is behind, as a sentence, if it is further than allowed. An alert about the service waits for nothing. */
async function behindText({ condition }: DeliveryRecord, { engine, maxLagSeconds }: DeliveryParts): Promise<string | undefined> {
  if (condition?.kind === 'service') return undefined
  const { role, ok, lag_seconds } = (await engine.readiness()).checks.replica
  if (lag_seconds === null) return role === 'replica' && !ok ? 'Nobody knows how old the data is.' : undefined
  return lag_seconds > maxLagSeconds ? `The data is ${durationText(lag_seconds)} old.` : undefined
}

function waiting(reason: string, now: Date): RunOutcome {
  const at = new Date(now.getTime() + LAG_LOOK_MS).toISOString()
  return { kind: 'later', at, error: `Waits up to two hours for newer data. ${reason}`, counts: false }
}

function durationText(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (minutes < 1) return `${seconds} seconds`
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const text = (count: number, word: string) => (count === 0 ? [] : [`${count} ${word}${count === 1 ? '' : 's'}`])
  return [...text(hours, 'hour'), ...text(rest, 'minute')].join(' ')
}

function lateNotice({ when }: DeliveryRecord, { slot, due_at }: DeliveryRun, now: Date): readonly string[] {
  if (now.getTime() - Date.parse(due_at) < LATE_MS) return []
  return [`This is late: it was due on ${slot.replace('T', ' at ')} (${when.zone}).`]
}

/** Sends to each receiver that has not accepted the run, and notes each that does at once. One that fails stops no other. */
async function sendToAll(
  delivery: DeliveryRecord,
  run: DeliveryRun,
  {
    briefing,
    store,
    parts: { engine, channels },
    signal,
  }: {
    readonly briefing: Parameters<typeof sendTo>[1]['briefing']
    readonly store: DeliveryStore
    readonly parts: DeliveryParts
    readonly signal: AbortSignal
  },
): Promise<{ readonly accepted: readonly string[]; readonly failures: readonly string[] }> {
  if (channels === undefined) throw new AppError('unsupported_by_connector', 'Nothing is sent from the sample data.')
  const secrets = await engine.deliveries.open(delivery.id, await store.secrets(delivery.id))
  const accepted = [...run.accepted]
  const failures: string[] = []
  for (const receiver of delivery.to) {
    if (accepted.includes(receiverKey(receiver))) continue
    signal.throwIfAborted()
    try {
      await sendTo(receiver, { delivery, run: run.slot, briefing }, { channels, secrets, signal })
      accepted.push(receiverKey(receiver))
      await store.noteAccepted(run, accepted)
    } catch (error) {
      signal.throwIfAborted()
      failures.push(failureText(error))
    }
  }
  return { accepted, failures }
}
