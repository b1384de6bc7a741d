import type { TestProject } from 'vitest/node'
import { findPlaces, type TargetPlace, uncovered } from './target-places.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    targetPlaces: readonly TargetPlace[]
  }
}

let atEnd: () => Promise<void> = async () => {}

/** Finds the databases once for the whole run; a target that REQUIRE_TARGETS names and that is missing fails the run. */
export async function setup(project: TestProject): Promise<void> {
  // biome-ignore lint/style/noProcessEnv: the run's own switches, no product configuration
  const environment = process.env
  const { places, stop } = await findPlaces(environment)
  const required = (environment['REQUIRE_TARGETS'] ?? '').split(',').map((name) => name.trim())
  const missing = required.filter((name) => name !== '' && !places.some((place) => place.name === name))
  if (missing.length > 0) {
    await stop()
    throw new Error(
      `REQUIRE_TARGETS asks for ${missing.join(', ')}, which no server provides; found: ${places.map(({ name }) => name).join(', ')}`,
    )
  }
  project.provide('targetPlaces', places)
  atEnd = async () => {
    await stop()
    const gaps = uncovered(places)
    if (gaps.length > 0) process.stdout.write(`Databases not covered by this run: ${gaps.join(', ')}.\n`)
  }
}

export async function teardown(): Promise<void> {
  await atEnd()
}
