import { errorFromIssues, suggest } from '../../../core/errors.ts'
import type { GrantRequest } from '../../../core/grant-request.ts'
import { mustBe, oneOf } from '../../presentation/messages.ts'
import { type Command, type CommandInput, optionValue } from '../command.ts'
import { writeRecords } from '../records.ts'

const DIALECTS = {
  postgres: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
} as const

/** `grants`: what an administrator runs once, printed and not run. */
export const GRANTS_COMMAND: Command = {
  name: 'grants',
  description: 'Print the statements that make a role which can only read what is needed; no database is asked',
  options: ['dialect', 'user', 'tables', 'database', 'schema'],
  required: ['dialect', 'user'],
  run: async ({ input, io, product }) => {
    const statements = await product.grants({
      dialect: dialectOf(input),
      user: optionValue(input, 'user') ?? '',
      database: optionValue(input, 'database'),
      schema: optionValue(input, 'schema') ?? 'public',
      tables: (input.values.get('tables') ?? []).flatMap((value) => value.split(',')).flatMap((table) => table.trim() || []),
    })
    const rows = statements.map((statement) => ({ statement }))
    const text = statements.map((statement) => `${statement};\n`).join('')
    writeRecords({ json: statements, rows, columns: ['statement'], text }, input, io)
    return 0
  },
}

function dialectOf(input: CommandInput): GrantRequest['dialect'] {
  const given = optionValue(input, 'dialect') ?? ''
  const known = Object.keys(DIALECTS)
  const dialect = Object.entries(DIALECTS).find(([name]) => name === given)?.[1]
  if (dialect !== undefined) return dialect
  const message = mustBe('dialect', oneOf(known), given)
  throw errorFromIssues([
    {
      code: 'invalid_value',
      where: 'params.dialect',
      value: given,
      message,
      did_you_mean: suggest(given, known),
    },
  ])
}
