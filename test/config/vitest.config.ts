import { defineConfig } from 'vitest/config'
import { leftOut } from './left-out.ts'
import { LongestFirst } from './longest-first.ts'

export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: leftOut(process.env),
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    maxWorkers: 3,
    // To load the product anew for each file takes longer than most files do. No test replaces a module or a global.
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
})
