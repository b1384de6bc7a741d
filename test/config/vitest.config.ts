import { defineConfig } from 'vitest/config'
import { leftOut } from './left-out.ts'
import { LongestFirst } from './longest-first.ts'

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: leftOut(process.env, process.argv.slice(2)),
    globalSetup: ['test/support/databases/global-setup.ts'],
    // MySQL answers some questions ten times as slowly as the other servers, and its neighbours wait.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A third one would load and compile all that the other two have, and leaves as little of two processors idle.
    maxWorkers: 2,
    // Hardly anything runs often enough to be worth optimizing it as early as a service does.
    execArgv: ['--interrupt-budget=600000'],
    // Loading the product again for each file takes longer than most files do. No test replaces a module or a global.
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
})
