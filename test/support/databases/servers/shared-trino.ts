import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, inject, it } from 'vitest'
import type { TargetPlace } from '../target-places.ts'
import { type Target, targets } from '../targets.ts'
import {
  type OwnTrino,
  startTrino,
  startTrinoCluster,
  type TrinoCluster,
  type TrinoGaps,
  type TrinoOptions,
  type TrinoPrograms,
  type TrinoServer,
} from './trino.ts'

/** Where test files ask for the Trino server of their run, and with what they start their own. */
export interface TrinoLender {
  readonly lender: string
  readonly programs: TrinoPrograms
  /** The server that holds the catalogs. */
  readonly postgresUrl: string
}

/**
 * Starts Trino for the first test file that asks. All files of a run share it, because a start takes as long as many tests. It runs below the
 * process that ends last.
 */
export async function lendTrino(programs: TrinoPrograms, postgresUrl: string): Promise<TrinoLender & { stop(): Promise<void> }> {
  let started: ReturnType<typeof startTrino> | undefined
  const server = createServer((_, response) => {
    started ??= startTrino(programs, postgresUrl)
    started.then(
      ({ origin, files }) => response.end(JSON.stringify({ origin, files } satisfies TrinoServer)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    lender: `http://127.0.0.1:${port}/`,
    programs,
    postgresUrl,
    async stop() {
      server.close()
      await (await started?.catch(() => undefined))?.close()
    },
  }
}

/** The parts for Trino that a run needs and does not have. */
export function trinoGaps(found: TrinoPrograms | TrinoGaps, places: readonly TargetPlace[]): readonly string[] {
  const hasPostgres = places.some(({ name }) => name === 'postgres')
  return [
    ...('missing' in found ? found.missing : []),
    ...(hasPostgres ? [] : ['PostgreSQL for its catalog (set TEST_POSTGRES_URL)']),
  ]
}

/** One `describe` over the Trino server of the run, if it can be started. `trino` resolves to the server. */
export function describeTrino(name: string, define: (trino: () => Promise<TrinoServer>) => void): void {
  describeWith(name, (place) => define(() => askFor(place)))
}

/** One `describe` over a separate server, if it can be started. */
export function describeOwnTrino(name: string, define: (start: (options: TrinoOptions) => Promise<OwnTrino>) => void): void {
  describeWith(name, ({ programs, postgresUrl }) => define((options) => startTrino(programs, postgresUrl, options)))
}

/** One `describe` over a separate coordinator and its workers, if they can be started. */
export function describeTrinoCluster(name: string, define: (start: () => Promise<TrinoCluster>) => void): void {
  describeWith(name, ({ programs, postgresUrl }) => define(() => startTrinoCluster(programs, postgresUrl)))
}

/** The PostgreSQL of the run, whose rows are copied to Trino. Wherever Trino is, it is too, because it holds Trino's catalog. */
export function postgresOfTrino(): Target {
  const postgres = targets().find(({ name }) => name === 'postgres')
  if (postgres === undefined) throw new Error('Trino runs beside PostgreSQL')
  return postgres
}

function describeWith(name: string, define: (lender: TrinoLender) => void): void {
  const place = inject('trino')
  if ('missing' in place) describe.skip(`${name} [no Trino]`, () => it('runs where it is at hand', () => {}))
  else describe(`${name} [trino]`, () => define(place))
}

async function askFor({ lender }: TrinoLender): Promise<TrinoServer> {
  const response = await fetch(lender)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as TrinoServer
}
