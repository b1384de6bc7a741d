import { openToySources, type StoreAddress } from '../support/product/toy-platform/toy-sources.ts'

// The program of startToyProcess.
const [, , work, place = '', url = ''] = process.argv
const { sources, failures, close } = openToySources(JSON.parse(place) as StoreAddress, { url })
process.once('SIGTERM', async () => {
  await close()
  if (failures.length > 0) throw failures[0]
})
if (work === 'serve') sources.start()
process.stdout.write('ready\n')
if (work === 'backfill') {
  await sources.pull({ type: 'toy' })
  await close()
}
