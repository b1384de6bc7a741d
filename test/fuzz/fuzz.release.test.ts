import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../../src/facades/http/app.ts'
import { importFxRates } from '../../src/workspace/exchange-rates/import/csv.ts'
import { createStore } from '../../src/workspace/store/create-store.ts'
import { fillDatabase } from '../support/data/histories/filled-database.ts'
import { generatedHistory, RATES_CSV } from '../support/data/histories/generated-history.ts'
import { firstEngineAndOneOther } from '../support/databases/rotation.ts'
import { storePlace } from '../support/databases/store-places.ts'
import { isFirst } from '../support/databases/targets.ts'
import { type Operation, operationsOf, type Parameter, parameterClasses } from '../support/product/api-operations.ts'
import { cacheOver, engineOver } from '../support/product/recorded-engine.ts'
import { answerCheck, type CheckAnswer } from './answer-check.ts'
import { hostileText, nearlyFitting } from './values.ts'

// biome-ignore lint/style/noProcessEnv: a longer or another run by hand, no product configuration
const { FUZZ_RUNS, FUZZ_SEED } = process.env
/** Inputs of each parameter class and of each body. */
const RUNS = Number(FUZZ_RUNS ?? 6)
/** The same of the other engine in the short run, where most is answered before a database is asked. */
const RUNS_OF_OTHERS = FUZZ_RUNS === undefined ? 2 : RUNS
/** The short run is the same each time. A long one draws a new seed and prints it. */
const SEED = Number(FUZZ_SEED ?? (FUZZ_RUNS === undefined ? 20_260_401 : Date.now() % 1_000_000_000))
const NOW = new Date('2024-05-20T12:00:00Z')
const EXISTING: Readonly<Record<string, readonly string[]>> = {
  metric: ['mrr', 'churn', 'retention', 'ltv', 'trials', 'usage_revenue', 'expenses', 'summary'],
  id: ['account-1', 'account-2'],
  key: ['tier', 'seats'],
  file: ['swagger-ui.css'],
}
/** Headers that bodies of the service depend on. */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: ['application/json', 'text/csv', '*/*', 'image/png', ';;;', ''],
  'x-request-id': ['abc', 'a'.repeat(65), 'a b', ''],
  'if-none-match': ['*', '"x"', 'W/"x"', ','],
}

type Service = ReturnType<typeof createApp>

interface Call {
  readonly operation: Operation
  readonly url: string
  readonly init: RequestInit
}

firstEngineAndOneOther(
  `hostile requests, seed ${SEED}`,
  (target) => {
    const numRuns = isFirst(target) ? RUNS : RUNS_OF_OTHERS
    let app: Service
    let check: CheckAnswer
    let operations: readonly Operation[]
    const logged: string[] = []
    const close: (() => Promise<unknown>)[] = []

    beforeAll(async () => {
      const { database } = await fillDatabase(target, generatedHistory(SEED, 12))
      const place = await storePlace(target.name)
      const store = createStore({ url: place.url, schema: 'side', baseDirectory: place.baseDirectory })
      await importFxRates(RATES_CSV, store, { maxBytes: 1_000_000 })
      const engine = await engineOver(database, {
        tenant: ['all'],
        now: NOW,
        store,
        definitions: { allow_unpriced: true },
        cache: (_, connector, definitions, clock) =>
          cacheOver(database.executor({ poolSize: 2 }), connector, { definitions, clock }),
      })
      close.push(
        () => engine.close(),
        () => place.remove(),
      )
      app = createApp({
        engine,
        version: '0',
        corsOrigins: [],
        limits: { body_bytes: 1_000_000, csv_bytes: 1_000_000 },
        log: (line) => logged.push(line),
      })
      const document = (await (await app.request('/openapi.json')).json()) as Parameters<typeof operationsOf>[0]
      operations = operationsOf(document)
      check = answerCheck(document.components)
    })
    afterAll(async () => {
      for (const one of close) await one()
    })

    const hold = async (name: string, calls: fc.Arbitrary<Call>): Promise<void> => {
      const property = fc.asyncProperty(calls, async ({ operation, url, init }) => {
        const wrong = await check(operation, await app.request(url, init))
        if (wrong === undefined) return
        const { body, headers = {} } = init
        throw new Error(`${operation.method} ${url} ${JSON.stringify({ headers, body })}\n${wrong}\n${logged.at(-1) ?? ''}`)
      })
      const { failed, seed, counterexamplePath, errorInstance } = await fc.check(property, { numRuns, seed: SEED })
      if (failed) expect.fail(`${name}, seed ${seed}, path ${counterexamplePath}: ${String(errorInstance)}`)
    }

    it('each parameter', async () => {
      for (const [name, offering] of parameterClasses(operations)) {
        const calls = fc.constantFrom(...offering).chain((operation) => {
          const tried = operation.parameters.find((parameter) => `${parameter.in} ${parameter.name}` === name)
          return callOf(operation, tried)
        })
        await hold(name, calls)
      }
    }, 3_600_000)

    it('each body', async () => {
      for (const operation of operations.filter(({ body }) => body !== undefined)) {
        await hold(`${operation.method} ${operation.path}`, callOf(operation, undefined))
      }
    }, 3_600_000)

    it('bodies that are no JSON, and uploads', async () => {
      const taking = operations.filter(({ body, isUpload }) => body !== undefined || isUpload)
      const calls = fc
        .tuple(
          fc.constantFrom(...taking),
          hostileText,
          fc.constantFrom('application/json', 'multipart/form-data; boundary=x', 'text/plain', ''),
        )
        .map(([operation, body, type]): Call => {
          const headers = type === '' ? {} : { 'content-type': type }
          return { operation, url: pathOf(operation, {}), init: { method: operation.method, body, headers } }
        })
      await hold('bodies', calls)
    }, 3_600_000)

    it('headers', async () => {
      const reading = operations.filter(({ method }) => method === 'GET')
      const headers = fc.record(
        Object.fromEntries(Object.entries(HEADERS).map(([name, values]) => [name, fc.constantFrom(...values)])),
        { requiredKeys: [] },
      )
      const calls = fc.tuple(fc.constantFrom(...reading), headers).map(
        ([operation, given]): Call => ({
          operation,
          url: pathOf(operation, {}),
          init: { headers: given as Record<string, string> },
        }),
      )
      await hold('headers', calls)
    }, 3_600_000)
  },
  { only: ['postgres', 'mariadb'] },
)

/** A call whose `tried` parameter may be anything; the others are left out or fit. */
function callOf(operation: Operation, tried: Parameter | undefined): fc.Arbitrary<Call> {
  const given = operation.parameters.map((parameter) => {
    const own: fc.Arbitrary<readonly unknown[] | undefined> =
      parameter === tried
        ? fc.array(nearlyFitting(parameter.schema, 1), { minLength: 1, maxLength: parameter.in === 'path' ? 1 : 3 })
        : fittingOrAbsent(parameter)
    return own.map((values) => [parameter, values] as const)
  })
  return fc
    .tuple(fc.tuple(...given), operation.body === undefined ? fc.constant(undefined) : nearlyFitting(operation.body))
    .map(([parameters, body]) => {
      const inPath: Record<string, string> = {}
      const query: string[] = []
      for (const [{ name, in: place }, values] of parameters) {
        if (place === 'path' && values !== undefined) inPath[name] = textOf(values[0])
        else for (const value of values ?? []) query.push(`${name}=${encode(textOf(value))}`)
      }
      const hasBody = operation.body !== undefined
      const init: RequestInit = {
        method: operation.method,
        ...(hasBody ? { body: JSON.stringify(body ?? null), headers: { 'content-type': 'application/json' } } : {}),
      }
      return { operation, url: `${pathOf(operation, inPath)}${query.length > 0 ? `?${query.join('&')}` : ''}`, init }
    })
}

function fittingOrAbsent(parameter: Parameter): fc.Arbitrary<readonly unknown[] | undefined> {
  if (parameter.in === 'path') return fc.constant(undefined)
  const fitting = nearlyFitting(parameter.schema, 200).map((value) => [value])
  return parameter.required === true || ['start', 'end'].includes(parameter.name)
    ? fitting
    : fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fitting })
}

function pathOf({ path }: Operation, given: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(given[name] ?? EXISTING[name]?.[0] ?? 'x') || 'x')
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

// A lone surrogate has no encoding: some clients send the bytes that it would have.
function encode(text: string): string {
  return [...text]
    .map((point) => (/[\ud800-\udfff]/.test(point) && point.length === 1 ? '%ED%A0%80' : encodeURIComponent(point)))
    .join('')
}
