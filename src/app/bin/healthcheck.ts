import { loadStoreConfig, processInputs } from '../config/config.ts'

// Asks the service that the configuration of this process describes whether it is alive; exit code 1 where it does not say so.
const { host, port, probe_port } = loadStoreConfig(processInputs()).server
const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host
const response = await fetch(`http://${address}:${probe_port ?? port}/healthz`).catch(() => undefined)
process.exitCode = response?.ok === true ? 0 : 1
