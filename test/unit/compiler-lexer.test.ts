import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenize } from '../../src/compiler/lexer.ts'

const kinds = (text: string) => tokenize(text).map((token) => [token.kind, token.text])

describe('tokenize', () => {
  it('leaves literals, quoted names and comments whole, whatever they hold', () => {
    expect(kinds(`'it''s :x' "a "":x" \`:x\` -- :x '\n/* :x ' */`)).toEqual([
      ['string', "'it''s :x'"],
      ['space', ' '],
      ['quoted', '"a "":x"'],
      ['space', ' '],
      ['quoted', '`:x`'],
      ['space', ' '],
      ['line_comment', "-- :x '"],
      ['space', '\n'],
      ['block_comment', "/* :x ' */"],
    ])
  })

  it('keeps a cast apart from a parameter', () => {
    expect(kinds('a::date :date')).toEqual([
      ['word', 'a'],
      ['punct', '::'],
      ['word', 'date'],
      ['space', ' '],
      ['param', ':date'],
    ])
  })

  it('counts lines and columns from 1, across literals with line breaks', () => {
    const last = tokenize("a\n  'x\ny' :b").at(-1)
    expect(last).toMatchObject({ text: ':b', line: 3, column: 4 })
  })

  it('marks what is never closed', () => {
    expect(tokenize("a 'b").at(-1)).toMatchObject({ kind: 'string', closed: false })
    expect(tokenize('a /* b').at(-1)).toMatchObject({ kind: 'block_comment', closed: false })
    expect(tokenize('a "b').at(-1)).toMatchObject({ kind: 'quoted', closed: false })
  })

  it('loses nothing of any text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("'", '"', '`', '--', '/*', '*/', '\n', ':', '::', 'a', ' ', '1', '.', '|', 'é', '😀')),
        (parts) => {
          const text = parts.join('')
          return (
            tokenize(text)
              .map((token) => token.text)
              .join('') === text
          )
        },
      ),
    )
  })
})
