import type { CheckFinding } from '../../connector-kit/connector.ts'
import type { SetupFacts } from '../../execution/dependencies.ts'

/** A step of the setup, and its state. */
export interface SetupStep {
  readonly name: string
  readonly title: string
  /** `attention`: a finding is a warning or a failure. */
  readonly state: 'done' | 'todo' | 'attention'
  readonly message: string
  readonly command?: string
  readonly setting?: string
}

/** The steps in their order, and the findings of `check` that each depends on, the main one first. */
const STEPS: readonly (readonly [name: string, title: string, findings: readonly string[]])[] = [
  ['connection', 'Connection', ['connection', 'lag', 'address']],
  ['rights', 'Read-only rights', ['privileges', 'engine', 'views', 'engine_rates', 'change_logs']],
  ['rates', 'Exchange rates', ['rates']],
  ['catalog', 'Catalog and prices', ['prices', 'catalog', 'tenants', 'catalog_prices', 'plan_names', 'aviate']],
  ['test_accounts', 'Test accounts', ['test_accounts']],
  ['access', 'Access', ['access', 'auth']],
  ['backup', 'Backup of the store', ['backup', 'store', 'store_files']],
]

/** Steps that `setup.done` can mark as done. The others show whether they are done. */
export const MARKABLE = ['test_accounts', 'access', 'backup'] as const

const RANK = ['ok', 'todo', 'warning', 'failure'] as const
const STATES = { ok: 'done', todo: 'todo', warning: 'attention', failure: 'attention' } as const

/** The steps of the setup, in the words of the findings. */
export function setupSteps(findings: readonly CheckFinding[]): readonly SetupStep[] {
  return STEPS.map(([name, title, names]) => {
    const own = names.flatMap((each) => findings.filter((finding) => finding.name === each))
    const worst = RANK.findLast((level) => own.some((finding) => finding.level === level))
    if (worst === undefined) return { name, title, state: 'todo', message: 'not checked yet: the steps above come first' }
    const telling = own.filter(({ level }) => level === worst)
    // Of steps that are done, the main finding says enough.
    const told = worst === 'ok' ? telling.slice(0, 1) : telling
    const command = told.find((finding) => finding.command !== undefined)?.command
    const setting = told.find((finding) => finding.setting !== undefined)?.setting
    return {
      name,
      title,
      state: STATES[worst],
      message: [...new Set(told.map(({ message }) => message))].join('; '),
      ...(command === undefined ? {} : { command }),
      ...(setting === undefined ? {} : { setting }),
    }
  })
}

/** Adds the findings about access and backup, and marks the steps of `setup.done`. */
export function withSetup(
  findings: readonly CheckFinding[],
  { done, isReachable, store }: SetupFacts,
  isAuthenticated: boolean,
): readonly CheckFinding[] {
  const own = [accessFinding(isReachable, isAuthenticated), backupFinding(store)]
  return [...findings, ...own].map((finding) => {
    if (finding.level !== 'todo' || !MARKABLE.some((name) => name === finding.name)) return finding
    if (done.includes(finding.name))
      return { name: finding.name, level: 'ok', message: `${finding.message}; setup.done marks this step as done` }
    const marked = JSON.stringify([...done, finding.name]).replaceAll(',', ', ')
    return { setting: `[setup]\ndone = ${marked}`, ...finding }
  })
}

function accessFinding(isReachable: boolean, isAuthenticated: boolean): CheckFinding {
  const name = 'access'
  if (isAuthenticated) return { name, level: 'ok', message: 'every request needs a credential' }
  if (!isReachable) return { name, level: 'ok', message: 'only this machine reaches the service; authentication is off' }
  return {
    name,
    level: 'todo',
    message: 'authentication is off: everyone who reaches the service reads all figures and changes stored data',
    command: 'plumbline keys create admin --scope admin',
    setting: '[auth]\nenabled = true',
  }
}

function backupFinding(store: SetupFacts['store']): CheckFinding {
  const name = 'backup'
  if (store === null) return { name, level: 'ok', message: 'the store is off: there is nothing to back up' }
  const message = `back up ${store.place}: rates, attributes, segments and dashboards are nowhere else`
  return { name, level: 'todo', message, command: store.backup }
}

/** Milliseconds for which findings are answered again, and for which a refresh does not check again. */
const FRESH_MS = 60_000
const REFRESH_MS = 2_000

interface RecentChecks<T> {
  /** The last result, at most a minute old, or two seconds with `isRefresh`. Only one check runs at a time. */
  read(isRefresh: boolean): Promise<T>
  /** Drops the last result, because the data has changed. */
  forget(): void
}

/** Shares the results of a check, because each takes several queries. */
export function recentChecks<T>(check: () => Promise<T>): RecentChecks<T> {
  let last: { readonly result: T; readonly at: number } | undefined
  let running: Promise<T> | undefined
  let changes = 0
  const run = async (): Promise<T> => {
    const before = changes
    try {
      const result = await check()
      if (changes === before) last = { result, at: performance.now() }
      return result
    } finally {
      running = undefined
    }
  }
  return {
    async read(isRefresh) {
      const age = performance.now() - (last?.at ?? 0)
      if (last !== undefined && age < (isRefresh ? REFRESH_MS : FRESH_MS)) return last.result
      running ??= run()
      return running
    },
    forget() {
      last = undefined
      changes += 1
    },
  }
}
