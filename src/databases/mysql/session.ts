import type { Row } from '../../ports/rows.ts'
import { settingsKept, settingsUntold } from '../failures.ts'
import type { Limits } from '../options.ts'
import { refuseOldServer } from '../server-version.ts'
import { isReservedSetting, serverErrorNumber } from './errors.ts'
import {
  type MysqlSettings,
  type MysqlVariant,
  memorySettings,
  PRODUCTS,
  READ_SETTINGS,
  requiredSettings,
  setStatement,
  UNLIMITED,
  variantOf,
} from './settings.ts'

type Run = (text: string) => Promise<readonly Row[]>

/** A setting that the server refuses to change, and its error. */
interface KeptSetting {
  readonly name: string
  readonly error: unknown
}

/**
 * Applies the settings of a new connection, so that no choice of the server changes a result, and returns the kind of server. AppError
 * `connector_unavailable` names the settings that the server refuses to change. ConfigurationError for a server that is too old.
 */
export async function openSession(run: Run, limits: Limits): Promise<MysqlVariant> {
  await run(UNLIMITED)
  const rows = await run(READ_SETTINGS)
  const found = Object.fromEntries(rows.map((row) => [String(row['Variable_name']), String(row['Value'])]))
  if (found['version'] === undefined) throw settingsUntold()
  const variant = variantOf(found['version'])
  refuseOldServer(PRODUCTS[variant], found['version'])
  const kept = await make(run, requiredSettings(found, limits))
  const [first] = kept
  if (first !== undefined)
    throw settingsKept(
      kept.map(({ name }) => name),
      first.error,
    )
  for (const { error } of await make(run, memorySettings(limits))) if (!isReservedSetting(error)) throw error
  return variant
}

/** Applies all settings in one statement. If the server refuses it, applies the settings one by one to find the refused ones. */
async function make(run: Run, settings: MysqlSettings): Promise<readonly KeptSetting[]> {
  if (Object.keys(settings).length === 0) return []
  try {
    await run(setStatement(settings))
    return []
  } catch (error) {
    if (serverErrorNumber(error) === undefined) throw error
  }
  const kept: KeptSetting[] = []
  for (const [name, value] of Object.entries(settings)) {
    await run(setStatement({ [name]: value })).catch((error: unknown) => kept.push({ name, error }))
  }
  return kept
}
