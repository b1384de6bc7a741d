// Writes npm-shrinkwrap.json for the packed package, so that an installation gets the versions that the tests ran with. `prepack` calls it, and
// `postpack` removes the file. npm publishes no package-lock.json.
import { readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)
const lock = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'))
const { devDependencies: _, ...own } = lock.packages['']
const used = Object.entries(lock.packages).filter(([path, { dev, devOptional }]) => path !== '' && dev !== true && devOptional !== true)
const packages = { '': own, ...Object.fromEntries(used) }
writeFileSync(new URL('npm-shrinkwrap.json', root), `${JSON.stringify({ ...lock, packages }, null, 2)}\n`)
