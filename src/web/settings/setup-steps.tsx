import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { components } from '../../client/index.ts'
import { client } from '../api/client.ts'
import { useHasScope } from '../auth/who.ts'
import { CommandLine } from '../parts/copy.tsx'
import { Problem } from '../parts/problem.tsx'
import { Skeleton } from '../parts/states.tsx'
import { Section } from './section.tsx'

type Step = components['schemas']['SetupStep']

const KEY = ['checks']
const FRESH_MS = 60_000
const HEIGHT = 320
/** The browser remembers whether the list is open. */
const STATE_KEY = 'plumbline-setup'
const OPEN = 'open'
const CLOSED = 'closed'

/** The steps of the setup. Only an administrator may read them. */
function useSetup() {
  const isAdmin = useHasScope('admin')
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await client.get('/api/checks', { signal })).data,
    enabled: isAdmin,
    staleTime: FRESH_MS,
  })
}

/** One line about the open steps of the setup, which opens the list. Nothing if all steps are done. */
export function SetupNotice() {
  const { data } = useSetup()
  const [state, setState] = useState(() => localStorage.getItem(STATE_KEY))
  const steps = data?.setup ?? []
  const open = steps.filter((step) => step.state !== 'done')
  const [next] = open
  if (next === undefined) return null
  const isOpen = state === OPEN
  const toggle = () => {
    const to = isOpen ? CLOSED : OPEN
    localStorage.setItem(STATE_KEY, to)
    setState(to)
  }
  return (
    <section className="card setup" aria-label="Setup">
      <div className="setup-line">
        <h2>
          Setup: {steps.length - open.length} of {steps.length} steps done
        </h2>
        {!isOpen && <p>Next: {next.title}.</p>}
        <button type="button" className="button" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? 'Hide steps' : 'Show steps'}
        </button>
      </div>
      {isOpen && <Steps steps={steps} />}
    </section>
  )
}

/** All steps of the setup, with a button that checks them again. Nothing for the sample data. */
export function SetupCard() {
  const answer = useSetup()
  const queries = useQueryClient()
  const [isChecking, setChecking] = useState(false)
  const checkAgain = async () => {
    setChecking(true)
    try {
      queries.setQueryData(KEY, (await client.get('/api/checks', { query: { refresh: 'true' } })).data)
    } catch {
      await answer.refetch()
    } finally {
      setChecking(false)
    }
  }
  if (answer.data?.setup === null) return null
  return (
    <Section
      id="setup"
      title="Setup"
      lead={
        <>
          The same checks as <code>plumbline check</code>.
        </>
      }
      tools={
        <button type="button" className="button" disabled={isChecking} onClick={() => void checkAgain()}>
          {isChecking ? 'Checking…' : 'Check again'}
        </button>
      }
    >
      {answer.error !== null && <Problem error={answer.error} onRetry={() => void answer.refetch()} />}
      {answer.isPending && <Skeleton height={HEIGHT} />}
      {answer.data !== undefined && <Steps steps={answer.data.setup ?? []} />}
    </Section>
  )
}

const STATES = { done: 'Done', todo: 'To do', attention: 'Attention' } as const

function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className="setup-steps">
      {steps.map((step) => (
        <li key={step.name}>
          <span className={`tag is-${step.state}`}>{STATES[step.state]}</span>
          <div className="setup-step">
            <h3>{step.title}</h3>
            <p>{sentence(step.message)}</p>
            {step.command !== undefined && <CommandLine text={step.command} />}
            {step.setting !== undefined && (
              <div className="setup-setting">
                <span className="muted">In plumbline.toml:</span>
                <CommandLine text={step.setting} />
              </div>
            )}
          </div>
        </li>
      ))}
    </ol>
  )
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}
