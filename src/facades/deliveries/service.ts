import { randomUUID } from 'node:crypto'
import { type DeliveryRecord, type DeliveryRun, MOST_DELIVERIES, NOTHING_FIRES, type Receiver } from '../../core/delivery.ts'
import { AppError, errorFromIssues } from '../../core/errors.ts'
import { isRecordId } from '../../core/workspace.ts'
import { type DeliverySecrets, newSigningKey } from '../../engine/engine.ts'
import { bodyIssue } from '../../workspace/records/body.ts'
import { DELIVERY } from '../../workspace/records/delivery.ts'
import { briefingHtml } from '../presentation/briefing/html.ts'
import { subjectOf } from '../presentation/briefing/subject.ts'
import { briefingText } from '../presentation/briefing/text.ts'
import { conditionRefused, readStated, urlsAfter } from './check-body.ts'
import type { Deliveries, Delivery, RunAnswer } from './contract.ts'
import { composeMessage, testMessage, tryCondition } from './messages.ts'
import type { DeliveryParts } from './parts.ts'
import { failureText, sendTo } from './send.ts'
import { slotAfter } from './slots.ts'
import { createRound, type DeliveryWorker, startWorker } from './worker.ts'

/** Runs that an answer lists. */
const MOST_RUNS = 50
const NO_SECRETS: DeliverySecrets = { urls: {}, signing_key: null }

/** The deliveries of a workspace, in the side store. */
export function createDeliveries(parts: DeliveryParts): Deliveries {
  const { engine, channels, now = () => new Date() } = parts
  let worker: DeliveryWorker | undefined
  const opened = () => engine.deliveries.store()
  const found = async (id: string): Promise<DeliveryRecord> => {
    const record = isRecordId(id) ? await (await opened()).get(id) : undefined
    if (record === undefined) throw new AppError('not_found', 'No delivery has this id.')
    return record
  }
  const answered = (record: DeliveryRecord, run: DeliveryRun | undefined) => deliveryAnswer(record, run, now())
  const withLast = async (record: DeliveryRecord) => answered(record, (await (await opened()).runs(record.id, 1))[0])

  const checkSegment = async ({ segment }: Pick<DeliveryRecord, 'segment'>): Promise<void> => {
    if (segment === null) return
    const segments = await engine.segments.list()
    if (segments.some(({ id, name }) => id === segment || name === segment)) return
    throw errorFromIssues([bodyIssue(['segment'], `No segment has the id or name ${JSON.stringify(segment)}.`)])
  }
  const checkCondition = async (draft: Pick<DeliveryRecord, 'segment' | 'condition'>, signal: AbortSignal) => {
    try {
      return await tryCondition(draft, parts, { signal })
    } catch (error) {
      throw conditionRefused(error)
    }
  }
  const tryReceivers = async (
    draft: DeliveryRecord,
    secrets: DeliverySecrets,
    isTried: (receiver: Receiver) => boolean,
    signal: AbortSignal,
  ): Promise<void> => {
    if (channels === undefined || !draft.to.some(isTried)) return
    const briefing = await testMessage(draft, parts)
    for (const [place, receiver] of draft.to.entries()) {
      if (!isTried(receiver)) continue
      try {
        await sendTo(receiver, { delivery: draft, run: `test-${randomUUID()}`, briefing }, { channels, secrets, signal })
      } catch (error) {
        signal.throwIfAborted()
        const message = `The test message was not accepted. ${failureText(error)}`
        throw errorFromIssues([bodyIssue(['to', String(place)], message)])
      }
    }
  }
  const secretsFor = (draft: DeliveryRecord, addresses: Parameters<typeof urlsAfter>[0], before: DeliverySecrets) => {
    const isSigned = draft.to.some((receiver) => receiver.kind === 'webhook' && receiver.form === 'json')
    return { urls: urlsAfter(addresses, before), signing_key: before.signing_key ?? (isSigned ? newSigningKey() : null) }
  }
  const sealed = async (id: string, secrets: DeliverySecrets) =>
    Object.keys(secrets.urls).length === 0 ? null : engine.deliveries.seal(id, secrets)

  return {
    async list() {
      const store = await opened()
      const [records, last] = [await store.list(), await store.lastRuns()]
      return records.map((record) => answered(record, last.get(record.id)))
    },
    get: async (id) => withLast(await found(id)),
    async runs(id) {
      await found(id)
      return (await (await opened()).runs(id, MOST_RUNS)).map(runAnswer)
    },
    async create(body, by, signal) {
      const store = await opened()
      const { stated, addresses } = readStated(DELIVERY.body.parse(body), parts, undefined)
      const at = now().toISOString()
      const draft: DeliveryRecord = {
        ...{ id: randomUUID(), briefing: null, segment: null, condition: null, enabled: true },
        ...(stated as Required<Pick<typeof stated, 'name' | 'when' | 'to'>>),
        ...{ created_by: by, created_at: at, updated_at: at, since: at, state: NOTHING_FIRES },
      }
      await checkSegment(draft)
      const known = await checkCondition(draft, signal)
      const secrets = secretsFor(draft, addresses, NO_SECRETS)
      const text = await sealed(draft.id, secrets)
      await tryReceivers(draft, secrets, () => true, signal)
      await store.create(draft, text, known, MOST_DELIVERIES)
      return { delivery: answered(draft, undefined), signing_key: secrets.signing_key }
    },
    async update(id, body, signal) {
      const store = await opened()
      const before = await found(id)
      const { stated, addresses } = readStated(DELIVERY.change.parse(body), parts, before)
      const draft = { ...before, ...stated }
      const isOther = (name: 'when' | 'condition' | 'segment' | 'enabled') =>
        JSON.stringify(draft[name]) !== JSON.stringify(before[name])
      if (isOther('segment')) await checkSegment(draft)
      // It begins again: no message tells of rows that exist now.
      const resets = isOther('condition') || isOther('segment') || (isOther('enabled') && draft.enabled)
      const known = resets ? await checkCondition(draft, signal) : undefined
      const kept = await engine.deliveries.open(id, await store.secrets(id))
      const secrets = stated.to === undefined ? kept : secretsFor(draft, addresses, kept)
      const text = stated.to === undefined ? undefined : await sealed(id, secrets)
      const isNew = (receiver: Receiver) => addresses.some((address) => address.isNew && address.receiver === receiver)
      await tryReceivers(draft, secrets, isNew, signal)
      const since = isOther('when') || isOther('enabled') ? { since: now().toISOString() } : {}
      const options = {
        at: now().toISOString(),
        resets,
        ...(text !== undefined && { secrets: text }),
        ...(known !== undefined && { known }),
      }
      const changed = await store.update(id, { ...stated, ...since }, options)
      if (changed === undefined) throw new AppError('not_found', 'No delivery has this id.')
      return { delivery: await withLast(changed), signing_key: kept.signing_key === null ? secrets.signing_key : null }
    },
    async remove(id) {
      if (!isRecordId(id) || !(await (await opened()).remove(id))) throw new AppError('not_found', 'No delivery has this id.')
    },
    async test(id, signal) {
      const record = await found(id)
      if (channels === undefined) throw new AppError('unsupported_by_connector', 'Nothing is sent from the sample data.')
      const secrets = await engine.deliveries.open(id, await (await opened()).secrets(id))
      await tryReceivers(record, secrets, () => true, signal)
    },
    async preview(id, signal) {
      const record = await found(id)
      const { briefing, silence } = await composeMessage(record, parts, { options: { signal }, notices: [], isBegun: false })
      if (briefing === undefined) return { sends: false, reason: silence, subject: null, text: null, html: null }
      const [text, html] = [briefingText(briefing), briefingHtml(briefing, channels?.origin)]
      return { sends: true, reason: null, subject: subjectOf(briefing), text, html }
    },
    runDue: (signal) => createRound(parts)(signal),
    start() {
      worker ??= startWorker(parts)
    },
    close: async () => worker?.stop(),
  }
}

/** A delivery in an answer. Its receivers have no secrets. */
function deliveryAnswer(
  { since: _, state: _state, ...record }: DeliveryRecord,
  run: DeliveryRun | undefined,
  now: Date,
): Delivery {
  const { id, name, briefing, when, to, segment, condition, enabled, created_by, created_at, updated_at } = record
  return {
    ...{ id, name, briefing, when, to: [...to], segment, enabled, created_by, created_at, updated_at },
    condition: condition as Delivery['condition'],
    next_at: enabled ? slotAfter(when, now).due_at : null,
    last_run: run === undefined ? null : runAnswer(run),
  }
}

function runAnswer(run: DeliveryRun): RunAnswer {
  const { slot, due_at, status, attempts, started_at, finished_at, next_attempt_at, error } = run
  return { slot, due_at, status, attempts, started_at, finished_at, next_attempt_at, error }
}
