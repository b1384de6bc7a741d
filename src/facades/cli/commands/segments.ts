import { withoutControls } from '../../../core/text.ts'
import type { Segment } from '../../../engine/engine.ts'
import { recordsText } from '../answer-text.ts'
import { type Command, type CommandInput, optionValue, UsageError, withEngine } from '../command.ts'
import { readJsonFile } from '../files.ts'
import { writeRecord, writeRecords, writeWarnings } from '../output.ts'

const COLUMNS = ['id', 'name', 'description', 'definition', 'created_by', 'created_at', 'updated_at', 'warnings']
const ID = { name: 'id', description: 'Id of the segment' }

const list: Command = {
  name: 'segments list',
  description: 'List segments, last changed first',
  options: [],
  run: (invocation) =>
    withEngine(invocation, async ({ segments }) => {
      const found = await segments.list()
      const rows = found.map((segment) => ({ ...segment }))
      const text = rows.length === 0 ? '(no segments)\n' : undefined
      const result = {
        json: found,
        rows,
        columns: COLUMNS,
        ...(text === undefined ? {} : { text }),
      }
      writeRecords(
        {
          ...result,
          text_columns: ['id', 'name', 'description', 'updated_at'],
        },
        invocation.input,
        invocation.io,
      )
    }),
}

const show: Command = {
  name: 'segments show',
  description: 'Show a segment with its definition',
  options: [],
  positionals: [ID],
  run: (invocation) =>
    withEngine(invocation, async ({ segments }) => {
      const segment = await segments.get(invocation.input.positionals[0] ?? '')
      writeRecord(segment, segmentText(segment), invocation.input, invocation.io)
    }),
}

const create: Command = {
  name: 'segments create',
  description: 'Create a segment from a JSON file with its definition',
  options: ['name', 'description', 'file'],
  required: ['name', 'file'],
  run: async (invocation) => {
    const { input, io } = invocation
    const body = await bodyOf(input)
    return withEngine(invocation, async ({ segments }) => {
      const segment = await segments.create(body)
      writeRecord(segment, segmentText(segment), input, io)
    })
  },
}

const update: Command = {
  name: 'segments update',
  description: 'Change the name, description or definition of a segment',
  options: ['name', 'description', 'file'],
  positionals: [ID],
  run: async (invocation) => {
    const { input, io } = invocation
    const body = await bodyOf(input)
    if (Object.keys(body).length === 0) throw new UsageError(['one of --name, --description and --file is required'])
    return withEngine(invocation, async ({ segments }) => {
      const segment = await segments.update(input.positionals[0] ?? '', body)
      writeRecord({ status: 'updated', ...segment }, segmentText(segment), input, io)
    })
  },
}

const remove: Command = {
  name: 'segments delete',
  description: 'Delete a segment',
  options: [],
  positionals: [ID],
  run: (invocation) =>
    withEngine(invocation, async ({ segments }) => {
      await segments.delete(invocation.input.positionals[0] ?? '')
      writeRecord({ status: 'deleted' }, 'Deleted\n', invocation.input, invocation.io)
    }),
}

const validate: Command = {
  name: 'segments validate',
  description: 'Check the definition in a JSON file without saving it',
  options: ['file'],
  required: ['file'],
  run: async (invocation) => {
    const { input, io } = invocation
    const definition = await readJsonFile(optionValue(input, 'file') ?? '')
    return withEngine(invocation, async (engine) => {
      const verdict = await engine.validateSegment(definition)
      const lines = verdict.valid ? ['valid', ...verdict.warnings.map((warning) => `warning: ${warning}`)] : verdict.errors
      const text = lines.map((line) => `${withoutControls(line)}\n`).join('')
      writeRecord(verdict, text, input, io)
    })
  },
}

const fields: Command = {
  name: 'segments fields',
  description: 'List the fields of conditions, with types, operators and example values',
  options: [],
  run: (invocation) =>
    withEngine(invocation, async (engine) => {
      const { data, meta } = await engine.segmentFields()
      const columns = ['field', 'label', 'type', 'operators', 'examples', 'metrics']
      const text = recordsText(
        data.map(({ field, type, examples }) => ({ field, type, examples: examples.join(', ') })),
        ['field', 'type', 'examples'],
        { bold: invocation.io.stdout.isTTY === true },
      )
      const rows = data.map((entry) => ({ ...entry }))
      writeRecords({ json: data, rows, columns, text }, invocation.input, invocation.io)
      writeWarnings(meta, invocation.io)
    }),
}

/** Saved groups of customers. */
export const SEGMENTS_COMMAND: Command = {
  name: 'segments',
  description: 'Manage segments: saved groups of customers',
  options: [],
  subCommands: [list, fields, show, create, update, remove, validate],
}

async function bodyOf(input: CommandInput): Promise<Readonly<Record<string, unknown>>> {
  const [name, description, file] = (['name', 'description', 'file'] as const).map((option) => optionValue(input, option))
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(file === undefined ? {} : { definition: await readJsonFile(file) }),
  }
}

function segmentText({ id, name, description, definition, warnings }: Segment): string {
  const lines = [
    `${id}  ${withoutControls(name)}`,
    ...(description === null || description === '' ? [] : [withoutControls(description)]),
    JSON.stringify(definition, null, 2),
    ...warnings.map((warning) => `warning: ${withoutControls(warning)}`),
  ]
  return `${lines.join('\n')}\n`
}
