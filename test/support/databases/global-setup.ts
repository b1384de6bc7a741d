import { spawnSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'
import { chromiumProgram } from '../product/chromium.ts'
import { findServerPrograms, type ServerPrograms, unstartable } from './servers/find-programs.ts'
import { missingPostgres, OTHER_POSTGRES, REFUSED_POSTGRES } from './servers/postgres-versions.ts'
import { lendTrino, type TrinoLender, trinoGaps } from './servers/shared-trino.ts'
import { findTrino, type TrinoGaps } from './servers/trino.ts'
import { findPlaces, type TargetPlace, uncovered } from './target-places.ts'
import { turnOfRun } from './turn.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    targetPlaces: readonly TargetPlace[]
    serverPrograms: ServerPrograms
    /** Where to ask for the Trino server of this run. */
    trino: TrinoLender | TrinoGaps
    /** Whether processes can be put apart as containers are. */
    hasNamespaces: boolean
    /** Chooses the sample of like cases and the engines of this run (`rotation.ts`). */
    turn: number
  }
}

/** Names that REQUIRE_TARGETS allows in addition to databases. */
const OTHERS: readonly string[] = ['chromium', 'pgbouncer', 'postgres-versions', 'trino']

let atEnd: () => Promise<void> = async () => {}

/** Finds the databases once for the whole run; a target that REQUIRE_TARGETS names and that is missing fails the run. */
export async function setup(project: TestProject): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: the run's own switches, no product configuration
  const environment = process.env
  const { turn, line } = turnOfRun(environment, import.meta.dirname)
  const { places, stop } = await findPlaces(environment)
  const hasChromium = chromiumProgram() !== undefined
  const postgresGaps = missingPostgres([REFUSED_POSTGRES, ...OTHER_POSTGRES]).map(
    (version) => `PostgreSQL ${version} (run .ci/postgres-versions)`,
  )
  const programs = findServerPrograms(environment['PATH'])
  const trinoPrograms = findTrino(environment)
  const noTrino = trinoGaps(trinoPrograms, places)
  const required = (environment['REQUIRE_TARGETS'] ?? '').split(',').map((name) => name.trim())
  const missing = [
    ...required.filter((name) => name !== '' && !OTHERS.includes(name) && !places.some((place) => place.name === name)),
    ...(required.includes('chromium') && !hasChromium ? ['chromium'] : []),
    ...(required.includes('postgres-versions') ? postgresGaps : []),
    ...(required.includes('trino') ? noTrino : []),
    // A MySQL that answers elsewhere need not have its programs here.
    ...unstartable(
      programs,
      required.filter((name) => name !== 'mysql'),
    ),
  ]
  if (missing.length > 0) {
    await stop()
    throw new Error(
      `REQUIRE_TARGETS asks for ${missing.join(', ')}, which is not at hand; found: ${places.map(({ name }) => name).join(', ')}`,
    )
  }
  project.provide('targetPlaces', places)
  project.provide('serverPrograms', programs)
  project.provide('turn', turn)
  const postgresUrl = places.find(({ name }) => name === 'postgres')?.url
  const trino = 'missing' in trinoPrograms || postgresUrl === undefined ? undefined : await lendTrino(trinoPrograms, postgresUrl)
  project.provide(
    'trino',
    trino === undefined
      ? { missing: noTrino }
      : { lender: trino.lender, programs: trino.programs, postgresUrl: trino.postgresUrl },
  )
  const hasNamespaces = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', '--uts', 'hostname', 'other']).status === 0
  project.provide('hasNamespaces', hasNamespaces)
  atEnd = async () => {
    await trino?.stop()
    await stop()
    const gaps = [...uncovered(places), ...unstartable(programs), ...postgresGaps]
    if (!hasNamespaces)
      process.stdout.write('NOT COVERED by this run: stores shared by containers (unshare is not permitted here).\n')
    if (!hasChromium) process.stdout.write('NOT COVERED by this run: the dashboard (set CHROMIUM_PATH).\n')
    if (noTrino.length > 0) process.stdout.write(`NOT COVERED by this run: Trino. It needs ${noTrino.join(', ')}.\n`)
    if (gaps.length > 0) process.stdout.write(`Databases not covered by this run: ${gaps.join(', ')}.\n`)
    process.stdout.write(`${process.exitCode === 1 ? 'FAILED. ' : ''}${line}\n`)
  }
}

export async function teardown(): Promise<void> {
  await atEnd()
}
