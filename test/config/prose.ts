// Rules of `npm run lint:prose`, for docs, README.md and comments.

/** Most words in a sentence. A list of inline codes counts as one word. In the cell of a table, semicolons divide sentences too. */
export const LONGEST_SENTENCE = 32

/** First words of a clause in the place of a noun. Questions, headings and heads of tables may begin with them. */
export const CLAUSE_OPENERS = ['what', 'who', 'whoever', 'whose']

export interface Habit {
  readonly words: readonly string[]
  /** The proposal in the message. */
  readonly better: string
  /** Allowed phrases that begin with the words. */
  readonly except?: readonly string[]
  /** Refused only where the phrase ends there: before a mark, or a word such as "and", "that" or "for". */
  readonly atPhraseEnd?: true
}

export const HABITS: readonly Habit[] = [
  { words: ['anew'], better: '"again", or the verb alone ("rebuilds")' },
  { words: ['likewise'], better: '"also", or "too"' },
  {
    words: ['of its own', 'of their own', 'of our own', 'of your own', 'of his own', 'of my own'],
    better: '"its own …", "a separate …"',
    atPhraseEnd: true,
  },
  { words: ["one's own"], better: '"your own …"' },
  {
    words: ['is told', 'are told', 'was told', 'were told', 'be told', 'been told'],
    except: ['is told apart', 'are told apart', 'be told apart'],
    better: '"receives", "is notified", "is known", or an active verb',
  },
  { words: ['there is none of', 'there are none of'], better: '"no …", "without …"' },
  {
    words: ['stand', 'stands', 'stood'],
    except: ['stand for', 'stands for', 'stand in for', 'stands in for', 'stand still', 'stands still'],
    better: '"is", "are", "appears", "is listed"',
  },
  { words: ['beside', 'besides'], better: '"with", "next to", "as well as", "also"' },
  { words: ['whoever'], better: '"anyone who", or the noun ("the caller")' },
  { words: ['that which'], better: 'the noun' },
  { words: ['lest'], better: '"so that … not"' },
  { words: ['thereof'], better: '"of it", or the noun' },
  { words: ['so many'], better: 'the number, or "a limit", "the given number of"' },
  { words: ['as it is', 'as they are'], better: '"unchanged", "current"', atPhraseEnd: true },
  { words: ['as it is now', 'as they are now'], better: '"current"' },
  { words: ['none of which'], better: 'a new sentence with the noun' },
  { words: ['save for'], better: '"except"' },
]

/** Generated files, which the linter skips. */
export const GENERATED = [
  'docs/openapi/columns.ts',
  'docs/openapi/figures.ts',
  'docs/openapi/types.ts',
  'test/golden/mrr_sliced.mysql.sql',
  'test/golden/mrr_sliced.postgres.sql',
]

export interface Exception {
  readonly path: string
  /** Some text of the line. */
  readonly quote: string
  readonly reason: string
}

/** Lines on which every word is allowed. An exception without use is a finding. */
export const EXCEPTIONS: readonly Exception[] = []
