import { composeEngine, startService } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/config/config.ts'

// A service for event-loop.release.test.ts. It reports where it listens, and its computing time since the last question.
const config = loadConfig({
  environment: {
    PLUMBLINE_DATABASE_URL: process.argv[2],
    PLUMBLINE_CONNECTOR_TENANT: 'beta',
    PLUMBLINE_STORE_URL: process.argv[3],
    PLUMBLINE_CACHE_MODE: 'off',
    PLUMBLINE_SERVER_PORT: '0',
    PLUMBLINE_DEFINITIONS_BASE_CURRENCY: 'USD',
  },
  cwd: '/',
  home: undefined,
})
const composed = composeEngine(config)
const server = await startService(config, composed, '0')
let before = process.cpuUsage()
process.on('message', () => {
  const { user, system } = process.cpuUsage(before)
  process.send?.({ microseconds: user + system })
  before = process.cpuUsage()
})
process.send?.({ url: server.url })
