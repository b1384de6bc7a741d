import { builtInRegistry } from '../../src/metrics/built-in.ts'
import { serviceOver } from './recording-engine.ts'

/** /openapi.json as the product answers it, with all its metrics, on a day of May 2025. */
export async function documentOfProduct() {
  const registry = builtInRegistry()
  const { app } = serviceOver({ metrics: () => registry.names, metric: (name) => registry.metrics.get(name) })
  return JSON.parse(await (await app.request('/openapi.json')).text())
}
