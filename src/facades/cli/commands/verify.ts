import type { Verification } from '../../../engine/engine.ts'
import { tableLines } from '../../presentation/text-table.ts'
import { type Command, optionValue } from '../command.ts'
import { writeRecord } from '../output.ts'
import { paint } from '../terminal-text.ts'
import { explained } from './question.ts'

const EXIT_VERIFY_FAILED = 5
const CLEAR = '\r\u001b[K'

type Report = Awaited<ReturnType<Verification['run']>>

/** `verify`: checks the figures of the user's own data. */
export const VERIFY_COMMAND: Command = {
  name: 'verify',
  description: 'Verify the figures of your own data: identities, rates, prices, history tables and the cache',
  options: ['start', 'end', 'check', 'time-limit', 'explain'],
  dates: 'the last 365 days',
  examples: [
    'verify',
    'verify --check groups_add_up --time-limit 300',
    'verify --start 2026-01-01 --end 2026-06-30 --format json',
  ],
  run: async ({ input, io, product }) => {
    const opened = await product.open({ config: optionValue(input, 'config') })
    const isShown = io.stderr.isTTY === true
    try {
      const given = {
        start: optionValue(input, 'start'),
        end: optionValue(input, 'end'),
        check: input.values.get('check'),
        time_limit_s: optionValue(input, 'time-limit'),
      }
      const asked = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
      const report = await opened.engine.verification.run(asked, {
        signal: io.stop,
        ...explained(input, io),
        onProgress: (done, all, check) => {
          if (isShown) io.stderr.write(check === undefined ? CLEAR : `${CLEAR}${done + 1} of ${all}: ${check.name} …`)
        },
      })
      writeRecord(report, textOf(report, io.stdout.color === true), input, io)
      return report.ok ? 0 : EXIT_VERIFY_FAILED
    } finally {
      await opened.close()
    }
  },
}

const WORDS = { true: 'ok', false: 'failed', null: 'not checked' } as const
const STYLES = { ok: 'green', 'in part': 'yellow', failed: 'red', 'not checked': 'yellow' } as const

function textOf({ checks, is_complete, start, end, data_through }: Report, isOn: boolean): string {
  const columns = ['result', 'check', 'message'].map((title) => ({ title, align: 'left' as const }))
  const words = checks.map((check) => (check.ok === true && !check.is_complete ? 'in part' : WORDS[`${check.ok}`]))
  const lines = tableLines(
    columns,
    checks.map(({ name, message, ids }, index) => [
      words[index] ?? '',
      name,
      ids.length === 0 ? message : `${message}; first: ${ids.join('; ')}`,
    ]),
  ).slice(1)
  const painted = lines.map((line, index) => {
    const word = words[index] ?? 'ok'
    return `${paint(STYLES[word], word, isOn)}${line.slice(word.length)}\n`
  })
  const count = (word: string) => words.filter((each) => each === word).length
  const inPart = count('in part') === 0 ? [] : [`${count('in part')} hold in part`]
  const parts = [`${count('ok')} checks hold`, ...inPart, `${count('failed')} failed`, `${count('not checked')} not checked`]
  const through = data_through === null ? '' : `, data through ${data_through}`
  const rest = is_complete ? '' : 'Not all was checked. `--time-limit` gives more time, and `--check` all of it to one check.\n'
  return `${painted.join('')}${start} to ${end}: ${parts.join(', ')}${through}\n${rest}`
}
