import { figureNamed, type MetricDefinition, type MetricFields } from '../../../engine/engine.ts'
import { answerLines } from '../../presentation/render.ts'
import { tableLines } from '../../presentation/text-table.ts'
import { recordsText } from '../answer-text.ts'
import { type Command, withEngine } from '../command.ts'
import { writeRecord, writeRecords, writeWarnings } from '../output.ts'
import { paint, wrapped } from '../terminal-text.ts'

const LEFT = { title: '', align: 'left' } as const

const metricsCommand: Command = {
  name: 'metrics',
  description: 'List all metrics; needs no database',
  options: [],
  run: async ({ input, io, product }) => {
    const listed = (await product.metrics()).filter(({ is_overview }) => is_overview !== true)
    const metrics = listed.map(({ name, summary }) => ({ metric: name, summary })).sort((a, b) => (a.metric < b.metric ? -1 : 1))
    const cells = metrics.map(({ metric, summary }) => [metric, summary])
    const text = tableLines([LEFT, LEFT], cells).slice(1)
    const json = metrics.map(({ metric }) => metric)
    writeRecords(
      {
        json,
        rows: metrics,
        columns: ['metric'],
        text: text.map((line) => `${line}\n`).join(''),
      },
      input,
      io,
    )
    return 0
  },
}

/** Commands that list metrics and their fields. */
export function discoveryCommands(names: readonly string[]): readonly Command[] {
  return [
    metricsCommand,
    {
      name: 'fields',
      description: 'List the dimensions, filters, attributes and query types of a metric',
      options: [],
      positionals: [
        {
          name: 'metric',
          description: 'Name of the metric, from `plumbline metrics`',
          values: names,
        },
      ],
      examples: ['fields mrr', 'fields usage-revenue --json'],
      run: (invocation) =>
        withEngine(invocation, async (engine) => {
          const { input, io } = invocation
          const { data, meta } = await engine.fields((input.positionals[0] ?? '').replaceAll('-', '_'))
          writeRecord(data, fieldsText(data, io.stdout.color === true), input, io)
          writeWarnings(meta, io)
        }),
    },
  ]
}

/** The fields of a metric as text: one table per kind. */
function fieldsText(fields: MetricFields, bold: boolean): string {
  const section = (title: string, rows: readonly Readonly<Record<string, unknown>>[], columns: readonly string[]) =>
    `${title}\n${recordsText(rows.map(joinLists), columns, { bold })}`
  return [
    `query types\n${fields.query_types.join(', ')}\n`,
    section(
      'numbers',
      fields.numbers.map((number) => ({ ...number })),
      ['query_type', 'dates'],
    ),
    section(
      'dimensions',
      fields.dimensions.map((field) => ({ ...field })),
      ['key', 'label', 'type', 'queries'],
    ),
    section(
      'time dimensions',
      fields.time_dimensions.map((field) => ({ ...field })),
      ['key', 'label'],
    ),
    section(
      'filters',
      fields.filters.map((field) => ({ ...field })),
      ['key', 'label', 'type', 'operators'],
    ),
    section(
      'attributes',
      fields.attributes.map((field) => ({ ...field })),
      ['key', 'label', 'type', 'source', 'queries'],
    ),
  ].join('\n')
}

function joinLists(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, Array.isArray(value) ? value.join(', ') : value]))
}

/** Explains a metric, or a figure by one of its usual names. Needs neither a database nor a configuration. */
export function explainCommand(words: readonly string[]): Command {
  return {
    name: 'explain',
    description: 'Explain a metric or a financial term: formula, assumptions, edge cases and a worked example',
    options: [],
    positionals: [
      {
        name: 'metric',
        description: 'Name of a metric, or a term such as nrr, arpu or quick ratio',
        many: true,
        values: words,
      },
    ],
    examples: ['explain mrr', 'explain nrr', 'explain quick ratio'],
    run: async ({ input, io, product }) => {
      const { metric, figure, command } = figureNamed(input.positionals.join(' '), await product.metrics())
      const isStyled = io.stdout.color === true
      const about = figure === undefined ? '' : figureText(figure, command, isStyled)
      writeRecord(recordOf(metric, figure?.name), `${about}${definitionText(metric, isStyled)}`, input, io)
      return 0
    },
  }
}

function recordOf({ name, summary, queries, docs }: MetricDefinition, figure: string | undefined) {
  const query_types = Object.entries(queries).map(([query_type, query]) => ({
    query_type,
    summary: query.summary,
  }))
  return {
    metric: name,
    ...(figure === undefined ? {} : { figure }),
    summary,
    query_types,
    ...docs,
  }
}

/** The definition of a metric as wrapped text. The example has the values of the JSON answer: cents and fractions. */
function definitionText({ name, summary, queries, docs }: MetricDefinition, bold: boolean): string {
  const heading = (text: string) => paint('bold', text, bold)
  const { text, params, spec, answer } = docs.example
  const sections = [
    [heading(name), ...wrapped(summary)],
    [heading('Query types'), ...queryLines(queries)],
    [heading('Formula'), ...sentences(docs.formula).flatMap((sentence) => wrapped(sentence))],
    [heading('Assumptions'), ...docs.assumptions.flatMap((item) => wrapped(item, '- '))],
    [heading('Edge cases'), ...docs.edge_cases.flatMap((item) => wrapped(item, '- '))],
    [
      heading('Example'),
      ...wrapped(text),
      '',
      `  ${JSON.stringify({ params, spec })}`,
      '  answers',
      ...answerLines(answer).map((line) => `  ${line}`),
    ],
  ]
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`
}

function queryLines(queries: MetricDefinition['queries']): string[] {
  const columns = [1, 2].map(() => ({ title: '', align: 'left' as const }))
  const rows = Object.entries(queries).map(([query_type, query]) => [`  ${query_type}`, query.summary])
  return tableLines(columns, rows).slice(1)
}

function sentences(text: string): string[] {
  return text.split(/(?<=\.) (?=[A-Z])/)
}

/** The meaning of one figure and the command that answers it. Shown before the definition of its metric. */
function figureText(
  { name, summary }: { readonly name: string; readonly summary: string },
  command: string | undefined,
  bold: boolean,
): string {
  const asked = command === undefined ? [] : [`  Command: plumbline ${command}`]
  return `${[paint('bold', name, bold), ...wrapped(summary), ...asked].join('\n')}\n\n`
}
