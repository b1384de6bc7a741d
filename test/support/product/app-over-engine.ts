import type { Engine } from '../../../src/engine/engine.ts'
import { createApp } from '../../../src/facades/http/app.ts'

type App = ReturnType<typeof createApp>

const apps = new WeakMap<Engine, App>()

/** The service over an engine, made once for all requests: making it takes longer than most answers. */
export function appOver(engine: Engine): App {
  const limits = { body_bytes: 100_000 }
  const app = apps.get(engine) ?? createApp({ engine, version: '0', corsOrigins: [], limits, log: () => {} })
  apps.set(engine, app)
  return app
}
