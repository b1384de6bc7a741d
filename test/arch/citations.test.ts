import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT, type SourceFile, sourceFiles } from './source-tree.ts'

const code = ['src', 'connectors', 'sql', 'test'].flatMap((folder) => sourceFiles(folder, ['.ts', '.sql']))
const guides = [
  ...sourceFiles('docs', ['.md']),
  ...sourceFiles('sql', ['.md']),
  ...sourceFiles('connectors', ['.md']),
  { path: 'README.md', text: readFileSync(join(ROOT, 'README.md'), 'utf8'), lines: 0 },
]
const texts = [...code, ...guides].filter(({ path }) => path !== 'test/arch/citations.test.ts')

/** Numbers of the headings of a document of docs/. */
function sectionsOf(name: string): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, 'docs', name), 'utf8')
  return new Set([...text.matchAll(/^##+ ([0-9]+(?:\.[0-9]+)*)\b/gm)].map((match) => match[1] ?? ''))
}

const definitions = readFileSync(join(ROOT, 'docs', 'definitions.md'), 'utf8')
const headed = [...definitions.matchAll(/^(?:- )?\*\*(D[0-9]+) /gm)].map((match) => match[1] ?? '')
const rules = new Set([
  ...[...definitions.matchAll(/\*\*(D[0-9]+)\b/g)].map((match) => match[1] ?? ''),
  ...[...definitions.matchAll(/^\| (I[0-9]+) \|/gm)].map((match) => match[1] ?? ''),
])
const decisions = sectionsOf('decisions.md')

const SECTIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  KB: sectionsOf('killbill.md'),
  'killbill.md': sectionsOf('killbill.md'),
  'http-api.md': sectionsOf('http-api.md'),
  'definitions.md': sectionsOf('definitions.md'),
  'decisions.md': decisions,
}

/** A document by its short name and the numbers behind it: `KB 2.6, 2.7`, `http-api.md sections 3.5 and 4`, `http-api.md 6.1 to 6.3`. */
const SECTION = /\b(KB|[a-z-]+\.md) (?:sections? )?((?:[0-9]+(?:\.[0-9]+)*)(?:(?:, | and | to )[0-9]+(?:\.[0-9]+)*)*)/g
const DOCUMENT = /(?<![\w./{}'-])((?:[\w-]+\/)*[A-Za-z-]+\.md)\b/g
const DECISION = /\bdecision ([0-9]+)\b/gi
const RULE = /\b[DI][1-9][0-9]?\b/g
/** Documents that the product does not carry, and words that lead to them. */
const FOREIGN =
  /\b(?:spec [0-9]|KB rule|the specification\b|specification\.md|architecture\.md|\(architecture\b|requirements? [0-9]|style\.md)/gi

/** The text with each comment that runs over several lines in one. */
function unwrapped({ text }: SourceFile): string {
  return text.replaceAll(/\n\s*(?:\*(?!\/)|\/\/|--) ?/g, ' ')
}

function cited(pattern: RegExp, wrong: (match: RegExpMatchArray, file: SourceFile) => boolean): string[] {
  return texts.flatMap((file) =>
    [...unwrapped(file).matchAll(pattern)].filter((match) => wrong(match, file)).map((match) => `${file.path}: ${match[0]}`),
  )
}

describe('citations of comments and guides are in the product', () => {
  it('sections', () => {
    const wrong = cited(SECTION, ([, name = '', numbers = '']) => {
      const known = SECTIONS[name]
      return known === undefined || numbers.split(/, | and | to /).some((number) => !known.has(number))
    })
    expect(wrong).toEqual([])
    expect(cited(SECTION, () => true).length).toBeGreaterThan(150)
  })

  it('rules and identities', () => {
    expect(cited(RULE, ([name]) => !rules.has(name))).toEqual([])
    expect(rules.size).toBeGreaterThan(80)
  })

  it('a number names one rule', () => {
    expect(headed.filter((rule, index) => headed.indexOf(rule) !== index)).toEqual([])
    expect(headed.length).toBeGreaterThan(70)
  })

  it('decisions', () => {
    expect(cited(DECISION, ([, number = '']) => !decisions.has(number))).toEqual([])
    expect(decisions.size).toBeGreaterThan(30)
  })

  it('documents, by a path or by a name of docs/', () => {
    const exists = (path: string, file: SourceFile) =>
      [join(ROOT, path), join(ROOT, 'docs', path), join(ROOT, dirname(file.path), path)].some(existsSync)
    expect(cited(DOCUMENT, ([, path = ''], file) => !exists(path, file))).toEqual([])
  })

  it('links between guides, headings included', () => {
    const links = guides.flatMap((file) =>
      [...file.text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map((match) => ({ file, link: match[1] ?? '' })),
    )
    const broken = links.filter(({ file, link }) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? join(ROOT, file.path) : join(ROOT, dirname(file.path), path)
      return !existsSync(target) || (anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).has(anchor))
    })
    expect(broken.map(({ file, link }) => `${file.path}: ${link}`)).toEqual([])
    expect(links.length).toBeGreaterThan(20)
  })

  it('nothing else', () => {
    expect(cited(FOREIGN, () => true)).toEqual([])
  })
})

/** Anchors of a guide's headings, as a forge makes them. */
function anchorsOf(text: string): ReadonlySet<string> {
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  )
}
