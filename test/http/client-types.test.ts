import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { BUILT_IN_METRICS } from '../../src/metrics/built-in.ts'
import { figuresOf } from '../../src/metrics/figures.ts'
import { documentOfProduct } from './product-document.ts'

const BANNER = '// Written by `npm run client` from /openapi.json.\n\n'

interface Answer {
  headers?: object
}

interface Operation {
  description?: string
  responses: Record<string, Answer>
}

interface Described {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, unknown>
}

/** Without what the client does not type: the long texts of operations, headers, examples, and refusals, which all have one shape. */
function slim(document: Described): string {
  for (const operations of Object.values(document.paths))
    for (const operation of Object.values(operations)) {
      delete operation.description
      for (const [status, answer] of Object.entries(operation.responses)) {
        delete answer.headers
        if (!status.startsWith('2')) delete operation.responses[status]
      }
    }
  delete document.components['responses']
  delete document.components['headers']
  return JSON.stringify(document, (key, value: unknown) => (isExample(key, value) ? undefined : value))
}

/** A property may have that name too: then it has a schema. */
function isExample(key: string, value: unknown): boolean {
  if (key !== 'example' && key !== 'examples') return false
  return typeof value !== 'object' || value === null || !('type' in value || 'anyOf' in value || '$ref' in value)
}

/** Names of attributes are not known beforehand, only how they begin. */
const ATTRIBUTE_NAME = ts.factory.createTemplateLiteralType(ts.factory.createTemplateHead('attr.'), [
  ts.factory.createTemplateLiteralTypeSpan(
    ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    ts.factory.createTemplateTail(''),
  ),
])

/** Without the lines that say of a path what it does not have. */
function terse(types: string): string {
  return types
    .replaceAll(/^ {8}readonly parameters: \{\n(?: {12}readonly \w+\?: never;\n)+ {8}\};\n/gm, '')
    .replaceAll(/^ {8}readonly (?:get|put|post|delete|options|head|patch|trace)\?: never;\n/gm, '')
    .replaceAll(/^ {12}readonly (?:header|cookie)\?: never;\n/gm, '')
    .replaceAll(/^ {16}headers: \{\n {20}readonly \[name: string\]: unknown;\n {16}\};\n/gm, '')
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly [attribute: `x-${string}`]: string
}

/** From least to most. Answers may differ in how far the numbers of a name add up. By the name alone, the least is known. */
const ADDS = ['never', 'groups', 'groups_and_periods']

/** The attributes that columns declare, by name, in the order of names. A name has the same unit, label and direction in every answer. */
function columnsIn(document: unknown): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const found = new Map<string, Record<string, string>>()
  JSON.stringify(document, (_, node: Schema | null) => {
    for (const [name, column] of Object.entries(node?.properties ?? {})) {
      if (/^(previous|change)_(?!rate$)/.test(name)) continue
      const known = found.get(name) ?? {}
      for (const [key, value] of [column, ...(column.anyOf ?? [])].flatMap(Object.entries)) {
        if (!key.startsWith('x-')) continue
        const attribute = key.slice('x-'.length)
        const own = value === 'cents' ? 'money' : String(value)
        const before = known[attribute] ?? own
        if (attribute !== 'adds') expect(before, `${attribute} of ${name}`).toBe(own)
        const least = ADDS.indexOf(before) < ADDS.indexOf(own) ? before : own
        found.set(name, Object.assign(known, { [attribute]: least }))
      }
    }
    return node
  })
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)))
}

it('the columns that the page knows are those of /openapi.json', async () => {
  const lines = Object.entries(columnsIn(await documentOfProduct())).map(
    ([name, attributes]) =>
      `  ${name}: { ${Object.entries(attributes)
        .sort(([one], [other]) => (one > other ? -1 : 1))
        .map(([key, value]) => `${key}: '${value}'`)
        .join(', ')} },\n`,
  )
  const text = `/** The attributes that columns of answers declare, by name. */\nexport const COLUMNS = {\n${lines.join('')}} as const\n`
  await expect(BANNER + text).toMatchFileSnapshot('../../docs/openapi/columns.ts')
})

it('the figures that the page knows are those of discovery', async () => {
  const figures = BUILT_IN_METRICS.flatMap((definition) =>
    figuresOf(definition).map((figure) => ({ metric: definition.name, ...figure })),
  ).sort((one, other) => one.place - other.place)
  expect(figures.map(({ place }) => place)).toEqual(figures.map((_, index) => index + 1))
  const text = `/** The figures that metrics declare, in the order of menus. */\nexport const FIGURES = ${JSON.stringify(figures, null, 2)} as const\n`
  await expect(
    `// Written by \`npm run client\` from the figures of /api/metrics/{metric}/fields.\n\n${text}`,
  ).toMatchFileSnapshot('../../docs/openapi/figures.ts')
})

it('the types of the client are those of /openapi.json', async () => {
  const types = await openapiTS(slim(await documentOfProduct()), {
    immutable: true,
    transform: (schema) => ('pattern' in schema && schema['pattern'] === '^attr\\.' ? ATTRIBUTE_NAME : undefined),
  })
  await expect(BANNER + terse(astToString(types))).toMatchFileSnapshot('../../docs/openapi/types.ts')
})
