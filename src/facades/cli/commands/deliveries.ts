import type { Deliveries, Delivery } from '../../deliveries/contract.ts'
import { type Command, type Invocation, optionValue, UsageError } from '../command.ts'
import { writeRecord, writeRecords } from '../output.ts'

const ID = { name: 'id', description: 'Id of the delivery' }
const COLUMNS = ['id', 'name', 'briefing', 'when', 'to', 'segment', 'condition', 'enabled', 'next_at', 'last_run']
const TEXT_COLUMNS = ['id', 'name', 'sends', 'receivers', 'next_at', 'last_status']
const RUN_COLUMNS = ['slot', 'due_at', 'status', 'attempts', 'finished_at', 'next_attempt_at', 'error']

async function withDeliveries({ input, product }: Invocation, work: (deliveries: Deliveries) => Promise<void>): Promise<number> {
  const opened = await product.open({ config: optionValue(input, 'config') })
  try {
    if (opened.deliveries === undefined) throw new UsageError(['nothing is sent from the sample data'])
    await work(opened.deliveries)
    return 0
  } finally {
    await opened.close()
  }
}

function idOf({ input }: Invocation): string {
  const [id] = input.positionals
  if (id === undefined) throw new UsageError(['argument <id> is missing'])
  return id
}

const list: Command = {
  name: 'deliveries list',
  description: 'List deliveries and alerts with their last run',
  options: [],
  run: (invocation) =>
    withDeliveries(invocation, async (deliveries) => {
      const found = await deliveries.list()
      const rows = found.map(listRow)
      writeRecords({ json: found, rows, columns: COLUMNS, text_columns: TEXT_COLUMNS }, invocation.input, invocation.io)
    }),
}

function listRow(delivery: Delivery): Record<string, unknown> {
  const { briefing, condition, to, last_run } = delivery
  const sends = [...(condition === null ? [] : [`alert on ${condition.kind}`]), ...(briefing === null ? [] : [briefing])].join(
    ', ',
  )
  const receivers = to
    .map(({ kind, address, form, host }) => address ?? (kind === 'webhook' ? `${form} at ${host}` : kind))
    .join(', ')
  return { ...delivery, sends, receivers, last_status: last_run?.status ?? null }
}

const runs: Command = {
  name: 'deliveries runs',
  description: 'List the newest runs of a delivery, and why one was not sent',
  options: [],
  positionals: [ID],
  run: (invocation) =>
    withDeliveries(invocation, async (deliveries) => {
      const found = await deliveries.runs(idOf(invocation))
      const text = found.length === 0 ? { text: '(no runs yet)\n' } : {}
      const rows = found.map((run) => ({ ...run }))
      writeRecords({ json: found, rows, columns: RUN_COLUMNS, ...text }, invocation.input, invocation.io)
    }),
}

const preview: Command = {
  name: 'deliveries preview',
  description: 'Print what a run now would send; nothing is sent',
  options: [],
  positionals: [ID],
  run: (invocation) =>
    withDeliveries(invocation, async (deliveries) => {
      const shown = await deliveries.preview(idOf(invocation), invocation.io.stop)
      const text = shown.text ?? `Nothing would be sent. ${shown.reason}\n`
      writeRecord({ ...shown }, text, invocation.input, invocation.io)
    }),
}

const test: Command = {
  name: 'deliveries test',
  description: 'Send a test message to every receiver of a delivery',
  options: [],
  positionals: [ID],
  run: (invocation) =>
    withDeliveries(invocation, async (deliveries) => {
      await deliveries.test(idOf(invocation), invocation.io.stop)
      writeRecord({ status: 'sent' }, 'Every receiver has accepted the test message\n', invocation.input, invocation.io)
    }),
}

const run: Command = {
  name: 'deliveries run',
  description: 'Send once what is due now, as a running service does; --dry-run shows each message and sends nothing',
  options: ['dry-run'],
  run: (invocation) =>
    withDeliveries(invocation, async (deliveries) => {
      const { input, io } = invocation
      if (input.flags.has('dry-run')) return dryRun(deliveries, invocation)
      const due = await deliveries.runDue(io.stop)
      const all = await deliveries.list()
      const ran = all.filter(({ id }) => due.includes(id))
      const rows = ran.map((delivery) => ({ id: delivery.id, name: delivery.name, ...delivery.last_run }))
      const text = rows.length === 0 ? { text: 'Nothing is due\n' } : {}
      writeRecords({ json: rows, rows, columns: ['id', 'name', 'slot', 'status', 'error'], ...text }, input, io)
    }),
}

async function dryRun(deliveries: Deliveries, { input, io }: Invocation): Promise<void> {
  const shown: Record<string, unknown>[] = []
  for (const { id, name, enabled, next_at } of await deliveries.list()) {
    if (!enabled) continue
    const { sends, reason, subject } = await deliveries.preview(id, io.stop)
    shown.push({ id, name, next_at, sends, message: subject ?? reason })
  }
  const text = shown.length === 0 ? { text: '(no deliveries)\n' } : {}
  writeRecords({ json: shown, rows: shown, columns: ['id', 'name', 'next_at', 'sends', 'message'], ...text }, input, io)
}

/** Deliveries and alerts. */
export const DELIVERIES_COMMAND: Command = {
  name: 'deliveries',
  description: 'Manage deliveries of briefings, and alerts',
  options: [],
  subCommands: [list, runs, preview, test, run],
}
