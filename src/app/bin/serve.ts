#!/usr/bin/env node
import { start } from './start.ts'

await start(['serve', ...process.argv.slice(2)])
