import { withoutControls } from '../../../core/text.ts'
import type { Note } from '../../../engine/engine.ts'
import { recordsText } from '../answer-text.ts'
import { type Command, type CommandInput, optionValue, withEngine } from '../command.ts'
import { withDayWords } from '../day-words.ts'
import { writeRecord, writeRecords } from '../output.ts'

const COLUMNS = ['id', 'day', 'text', 'metric', 'tenant', 'created_by', 'created_at', 'updated_at', 'warnings']
const TEXT_COLUMNS = ['day', 'text', 'metric', 'tenant', 'id']

const list: Command = {
  name: 'notes list',
  description: 'List notes by day',
  options: ['start', 'end', 'range', 'metric'],
  texts: { metric: { valueHint: 'name', description: 'Only notes about this metric, and about all metrics' } },
  examples: ['notes list', 'notes list --start 2026-10 --end 2026-10 --metric mrr'],
  run: async ({ input: written, io, product }) => {
    const opened = await product.open({ config: optionValue(written, 'config') })
    try {
      const input = withDayWords(written, opened.today, false)
      const given = (['start', 'end', 'range', 'metric'] as const).map((name) => [name, optionValue(input, name)] as const)
      const found = await opened.engine.notes.list(Object.fromEntries(given.filter(([, value]) => value !== undefined)))
      const rows = found.map((note) => ({ ...note }))
      const text = rows.length === 0 ? '(no notes)\n' : recordsText(rows, TEXT_COLUMNS, { bold: io.stdout.color === true })
      writeRecords({ json: found, rows, columns: COLUMNS, text }, written, io)
      return 0
    } finally {
      await opened.close()
    }
  },
}

const add: Command = {
  name: 'notes add',
  description: 'Add a note to a day',
  options: ['metric', 'tenant'],
  texts: {
    metric: { valueHint: 'name', description: 'The metric that the note is about; default: all' },
    tenant: { valueHint: 'name', description: 'The tenant that the note is about; default: all' },
  },
  positionals: [
    { name: 'day', description: 'The day: 2026-10-05, today, yesterday' },
    { name: 'text', description: 'The note: one line of up to 200 characters' },
  ],
  examples: ['notes add 2026-10-05 Repricing', 'notes add yesterday Newsletter --metric trials'],
  run: async ({ input, io, product }) => {
    const opened = await product.open({ config: optionValue(input, 'config') })
    try {
      const [day = '', text = ''] = input.positionals
      const [metric, tenant] = [optionValue(input, 'metric'), optionValue(input, 'tenant')]
      const note = await opened.engine.notes.create({
        day: dayOf(day, input, opened.today),
        text,
        ...(metric === undefined ? {} : { metric }),
        ...(tenant === undefined ? {} : { tenant }),
      })
      writeRecord(note, noteText(note), input, io)
      return 0
    } finally {
      await opened.close()
    }
  },
}

const remove: Command = {
  name: 'notes remove',
  description: 'Remove a note',
  options: [],
  positionals: [{ name: 'id', description: 'Id of the note' }],
  run: (invocation) =>
    withEngine(invocation, async ({ notes }) => {
      await notes.delete(invocation.input.positionals[0] ?? '')
      writeRecord({ status: 'deleted' }, 'Removed\n', invocation.input, invocation.io)
    }),
}

/** Remarks on days. */
export const NOTES_COMMAND: Command = {
  name: 'notes',
  description: 'Manage notes: remarks on days, shown with every figure of these days',
  options: [],
  subCommands: [list, add, remove],
}

/** The day that a word names. Other texts stay, and the engine judges them. */
function dayOf(word: string, input: CommandInput, today: string): string {
  const asked = { ...input, values: new Map([['at' as const, [word]]]) }
  return optionValue(withDayWords(asked, today, false), 'at') ?? word
}

function noteText({ id, day, text, metric, tenant }: Note): string {
  const about = [metric, tenant].filter((name) => name !== null)
  return `${day}  ${withoutControls(text)}${about.length === 0 ? '' : ` (${withoutControls(about.join(', '))})`}  ${id}\n`
}
