import type { Described, Document, Operation } from '../../src/facades/http/openapi/shared-parts.ts'
import type { Example, Examples } from '../../src/facades/http/openapi/show-examples.ts'
import { describedPart } from '../support/product/described-part.ts'

const HEAD = `import { createClient } from 'plumbline/client'

type Data<Call> = Call extends Promise<{ readonly data: infer Answer }> ? Answer : never

const client = createClient({ baseUrl: 'http://127.0.0.1:8000' })
`

/** A program that asks every example through the typed client and takes its answer for what the types say: it has to compile, not to run. */
export function clientCalls(document: Document, examples: Examples): string {
  const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      Object.values(examples[operation.operationId] ?? {})
        .filter(({ status }) => status < 400)
        .map((example) => ({
          call: `client.${method}(${JSON.stringify(path)}, ${inputOf(document, path, operation, example)})`,
          answer: JSON.stringify(example.answer),
        })),
    ),
  )
  const statements = calls.map(
    ({ call, answer }, index) =>
      `export const call${index} = () => ${call}\nexport const answer${index}: Data<ReturnType<typeof call${index}>> = ${answer}\n`,
  )
  return [HEAD, ...statements].join('\n')
}

function inputOf(document: Document, path: string, operation: Operation, { summary, body }: Example): string {
  const url = new URL(summary.slice(summary.indexOf(' ') + 1), 'http://service')
  const values = valuesOf(path, url.pathname)
  const parameters = (operation.parameters ?? []).map((parameter) => describedPart(document, parameter))
  const known = new Set(parameters.map(({ name }) => name))
  const query = [...new Set(url.searchParams.keys())].filter((name) => known.has(name))
  const parts = [
    ...(values === undefined ? [] : [`path: ${JSON.stringify(values)}`]),
    ...(query.length === 0
      ? []
      : [`query: { ${query.map((name) => `${name}: ${givenValue(parameters, name, url)}`).join(', ')} }`]),
    ...(body === undefined ? [] : [`body: ${isForm(operation) ? 'new FormData()' : JSON.stringify(body)}`]),
  ]
  return `{ ${parts.join(', ')} }`
}

function givenValue(parameters: readonly Described[], name: string, url: URL): string {
  const { schema } = (parameters.find((parameter) => parameter['name'] === name) ?? {}) as { schema?: { type?: string } }
  const given = url.searchParams.getAll(name)
  if (schema?.type === 'array') return JSON.stringify(given)
  return JSON.stringify(schema?.type === 'integer' ? Number(given[0]) : given[0])
}

function valuesOf(path: string, pathname: string): Readonly<Record<string, string>> | undefined {
  const pattern = path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  return new RegExp(`^${pattern}$`).exec(pathname)?.groups
}

function isForm({ requestBody }: Operation): boolean {
  return JSON.stringify(requestBody).includes('multipart/form-data')
}
