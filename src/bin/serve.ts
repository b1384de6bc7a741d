#!/usr/bin/env node
import { processIo } from '../cli/io.ts'
import { runCli } from '../cli/main.ts'
import { createProduct } from './product.ts'

process.exitCode = await runCli(['serve', ...process.argv.slice(2)], processIo(), createProduct())
