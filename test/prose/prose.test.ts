import { describe, expect, it } from 'vitest'
import { EXCEPTIONS } from '../config/prose.ts'
import { codeComments, sqlComments } from './comments.ts'
import { problemsIn } from './rules.ts'

const rulesIn = (text: string) => problemsIn(text).map(({ rule }) => rule)
const words = (count: number) => `${Array.from({ length: count }, (_, index) => `W${index}`).join(' ')}.`

describe('words', () => {
  it.each([
    ['The cache is filled anew.', 'anew'],
    ['Charts are kept likewise.', 'likewise'],
    ['It has a place of its own.', 'of its own'],
    ['Rows of their own and more.', 'of its own'],
    ["A program of one's own.", "one's own"],
    ['The caller is told why.', 'is told'],
    ['A value that there is none of.', 'there is none of'],
    ['The rule stands in the table.', 'stand'],
    ['The cache is beside the store.', 'beside'],
    ['Besides, it is fast.', 'beside'],
    ['The page serves whoever asks.', 'whoever'],
    ['The text is read as it is.', 'as it is'],
    ['One row per customer, as it is now.', 'as it is now'],
    ['A body above so many bytes.', 'so many'],
    ['Three rows, none of which counts.', 'none of which'],
    ['It waits, lest it be refused.', 'lest'],
    ['A part thereof.', 'thereof'],
    ['That which is read.', 'that which'],
    ['All rows, save for one.', 'save for'],
    ['Rows of of a table.', 'retext-repeated-words'],
  ])('refuses "%s"', (text, rule) => {
    expect(rulesIn(text)).toEqual([rule])
  })

  it.each([
    'The earliest of its own end and the end of its base.',
    'MRR stands for monthly recurring revenue.',
    'The clock stands still.',
    'Columns are side by side.',
    'The two cannot be told apart.',
    'The name as it is written.',
    'The outstanding amount.',
    'At least one row.',
    'Null where there is none.',
  ])('takes "%s"', (text) => {
    expect(rulesIn(text)).toEqual([])
  })

  it('proposes the better word', () => {
    expect(problemsIn('Filled anew.')).toEqual([
      { line: 1, rule: 'anew', message: expect.stringMatching(/^"anew": write "again"/) },
    ])
  })
})

describe('clauses', () => {
  it.each(['What is read.', 'Who asks, waits.', '- What is refused', '**What it is.** Text.', '| a |\n|---|\n| what it means |'])(
    'refuses "%s"',
    (text) => {
      expect(rulesIn(text)).toEqual(['clause'])
    },
  )

  it.each(['What is MRR?', '## What is read', '| What |\n|---|\n| a row |', 'The page shows what is read.', '"Who asks?"'])(
    'takes "%s"',
    (text) => {
      expect(rulesIn(text)).toEqual([])
    },
  )
})

describe('length', () => {
  it('refuses a sentence of more than 32 words', () => {
    expect(rulesIn(words(32))).toEqual([])
    expect(rulesIn(words(33))).toEqual(['length'])
    expect(rulesIn(`${words(20)} ${words(20)}`)).toEqual([])
    expect(rulesIn(`${words(20)} \`code\` and ${words(20)}`)).toEqual([])
  })

  it('counts a list of inline codes as one word, and the entries of a cell by themselves', () => {
    expect(rulesIn(`Plumbline reads ${'`PGHOST`, '.repeat(40)}and \`PGPORT\`.`)).toEqual([])
    const entries = '`limit` = 30 rows; '.repeat(20)
    expect(rulesIn(entries)).toEqual(['length'])
    expect(rulesIn(`| a |\n|---|\n| ${entries} |`)).toEqual([])
  })
})

describe('Markdown', () => {
  it('reads no code, no address and no HTML', () => {
    const text = [
      '```sh',
      'fill anew',
      '```',
      '',
      '    fill anew',
      '',
      'Call `anew` at [this](https://a.test/anew).',
      '',
      '<!-- anew -->',
    ]
    expect(problemsIn(text.join('\n'))).toEqual([])
  })

  it('names the line on which the words are', () => {
    const text = '# Title\n\nA sentence of two\nlines is read\nanew. It has a\nplace of its\nown.\n\n- An item\n  anew.\n'
    expect(problemsIn(text).map(({ line, rule }) => [line, rule])).toEqual([
      [5, 'anew'],
      [6, 'of its own'],
      [10, 'anew'],
    ])
  })
})

describe('comments', () => {
  it('of TypeScript are found outside texts, expressions and markup', () => {
    const text = [
      "const a = 'http://a.test' // one",
      `const b = \`// no \${/* two */ a} // no\``,
      'const c = /\\/\\/ no/',
      '// three',
      '// goes on',
      '/**',
      ' * Four',
      ' * goes on.',
      ' */',
      'const d = <p title="// no">// no {/* five */}</p>',
    ]
    expect(codeComments('a.tsx', text.join('\n')).map(({ line, text: comment }) => [line, comment.trim()])).toEqual([
      [1, 'one'],
      [2, 'two'],
      [4, 'three\ngoes on'],
      [6, 'Four\ngoes on.'],
      [10, 'five'],
    ])
  })

  it('of SQL are found outside texts and without declarations', () => {
    const text = "-- reads:    mrr_span\n-- One row\n-- per plan.\nselect '-- no' as a, -- two\n  /* three\n  */ 1"
    expect(sqlComments(text).map(({ line, text: comment }) => [line, comment.trim()])).toEqual([
      [1, 'One row\nper plan.'],
      [4, 'two'],
      [5, 'three'],
    ])
  })

  it('keep the lines of the file', () => {
    const [comment] = codeComments('a.ts', 'const a = 1\n\n/**\n * Rows of a page.\n * Each is read anew.\n */\n')
    expect(comment?.line).toBe(3)
    expect(problemsIn(comment?.text ?? '')[0]?.line).toBe(3)
  })
})

it('exceptions are few, and say why', () => {
  expect(EXCEPTIONS.length).toBeLessThan(10)
  expect(EXCEPTIONS.filter(({ reason }) => reason.length < 20)).toEqual([])
})
