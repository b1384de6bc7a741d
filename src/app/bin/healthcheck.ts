import { loadStoreConfig, processInputs } from '../config/config.ts'

// Asks the service of this configuration whether it is alive. Exit code 1 if it does not answer 200.
const { host, port, probe_port } = loadStoreConfig(processInputs()).server
const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
const response = await fetch(`http://${address}:${probe_port ?? port}/healthz`).catch(() => undefined)
process.exitCode = response?.ok === true ? 0 : 1
