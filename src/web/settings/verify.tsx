import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { textIn } from '../api/use-answer.ts'
import { Problem } from '../parts/problem.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Section } from './section.tsx'

type Check = components['schemas']['VerifyCheck']
type Listed = components['schemas']['VerifyChecks']['checks'][number]

const COLUMNS: readonly Column[] = [
  { key: 'state', label: 'State' },
  { key: 'description', label: 'Check' },
  { key: 'result', label: 'Result', render: (row) => textIn(row, 'result') },
]

/** Checks of the user's own data, one after the other, with their results. */
export function VerifyCard() {
  const list = useQuery({
    queryKey: ['verify', 'checks'],
    queryFn: async ({ signal }) => (await client.get('/api/verify/checks', { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { run, stop, results, running, error } = useVerification(list.data?.checks ?? [])
  const checks = list.data?.checks ?? []
  const done = checks.filter(({ name }) => results.has(name)).length
  const failed = [...results.values()].filter(({ ok }) => ok === false).length
  return (
    <Section
      id="verify"
      title="Verify"
      lead="Checks your figures against each other and against the billing database: totals, groups, rates, prices, history and the cache."
      tools={
        running === undefined ? (
          <button type="button" className="button" disabled={checks.length === 0} onClick={run}>
            Verify now
          </button>
        ) : (
          <button type="button" className="button" onClick={stop}>
            Stop
          </button>
        )
      }
    >
      {list.error !== null && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {error !== undefined && <Problem error={error} onRetry={run} />}
      {(running !== undefined || done > 0) && (
        <p aria-live="polite">
          <progress max={checks.length} value={done} aria-label="Checks done" /> {progressText(done, checks.length, failed)}
        </p>
      )}
      {checks.length > 0 && (
        <Table
          stacks
          caption="Checks"
          columns={COLUMNS}
          rows={checks.map((check) => rowOf(check, results.get(check.name), running))}
          currency=""
        />
      )}
    </Section>
  )
}

function progressText(done: number, all: number, failed: number): string {
  const found = failed === 0 ? 'no check failed' : failed === 1 ? '1 check failed' : `${failed} checks failed`
  return `${done} of ${all} checks done, ${found}.`
}

function rowOf({ name, description }: Listed, result: Check | undefined, running: string | undefined) {
  const waits = running === name ? 'Running' : 'Not run'
  const state = result === undefined ? waits : result.ok === null ? 'Does not apply' : result.ok ? 'OK' : 'Failed'
  const ids = result === undefined || result.ids.length === 0 ? '' : ` (${result.ids.join(', ')})`
  return { state, description, result: result === undefined ? null : `${result.message}${ids}` }
}

/** Runs the checks one by one, so that the page shows each result when it is there. */
function useVerification(checks: readonly Listed[]) {
  const [results, setResults] = useState<ReadonlyMap<string, Check>>(new Map())
  const [running, setRunning] = useState<string>()
  const [error, setError] = useState<Error>()
  const stopping = useRef<AbortController>(undefined)
  useEffect(() => () => stopping.current?.abort(), [])
  const runAll = async (signal: AbortSignal) => {
    for (const { name } of checks) {
      setRunning(name)
      const { data } = await client.get('/api/verify', { query: { check: [name] }, signal })
      setResults((before) => new Map([...before, ...data.checks.map((check) => [check.name, check] as const)]))
    }
  }
  const run = () => {
    const controller = new AbortController()
    stopping.current = controller
    setResults(new Map())
    setError(undefined)
    runAll(controller.signal)
      .catch((thrown: unknown) => {
        if (!controller.signal.aborted) setError(thrown instanceof Error ? thrown : new Error(String(thrown)))
      })
      .finally(() => setRunning(undefined))
  }
  return { run, stop: () => stopping.current?.abort(), results, running, error }
}
