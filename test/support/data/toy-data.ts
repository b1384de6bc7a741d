import type { TestDatabase, Value } from '../databases/test-database.ts'

type Line = readonly Value[]

const TABLES = `
create table toy_customer (id UUID primary key, name varchar(100), email varchar(100), currency char(3) not null, country char(2),
  sector varchar(40), pays_by_hand boolean not null, is_test boolean not null, created_at INSTANT not null);
create table toy_change (subscription_id UUID not null, changes_at INSTANT not null, recorded_at INSTANT not null, customer_id UUID not null,
  status varchar(10) not null, plan varchar(50) not null, unit varchar(5) not null, price_cents bigint not null, currency char(3) not null,
  seats integer not null, metered integer not null, remark varchar(100), primary key (subscription_id, changes_at));
create table toy_item (id UUID primary key, invoice_number varchar(20) not null, customer_id UUID not null, subscription_id UUID,
  kind varchar(10) not null, served_on date not null, invoiced_on date not null, recorded_at INSTANT not null, paid_at INSTANT null,
  amount_cents bigint not null, currency char(3) not null)`

/** Id of a customer, subscription or item of the example: its name in the last digits of a UUID. */
export function toyId(name: string): string {
  return `6f2d3c4b-0000-4000-8000-${Buffer.from(name).toString('hex').padStart(12, '0')}`
}

/** A day of the example as an instant: at noon. */
function noon(day: string): string {
  return `2025-${day} 12:00:00`
}

const BUYERS: readonly Line[] = [
  ['A', 'USD', 'DE', '2024-12-31', false],
  ['B', 'USD', 'US', '2025-01-10', false],
  ['C', 'EUR', 'DE', '2025-01-31', false],
  ['D', 'USD', null, '2025-02-20', false],
  ['E', 'USD', 'de', '2025-01-01', false],
  ['F', 'USD', 'US', '2025-01-20', false],
  // Somebody's trial run, which nobody wants to see among the figures.
  ['X', 'USD', 'US', '2025-01-02', true],
]

/** The subscriptions of docs/definitions.md 17: subscription, customer, day, day of record, status, plan, unit, price, seats, remark. */
const CHANGES: readonly Line[] = [
  ['S1', 'A', '01-05', '01-05', 'active', 'pro-annual', 'year', 100_000, 1, null],
  ['S2', 'B', '01-10', '01-10', 'trialing', 'team', 'month', 2_900, 1, null],
  ['S2', 'B', '01-24', '01-10', 'active', 'team', 'month', 2_900, 1, null],
  ['S2', 'B', '03-24', '03-24', 'active', 'business', 'month', 7_900, 1, null],
  ['S2', 'B', '05-24', '05-02', 'ended', 'business', 'month', 7_900, 1, 'too_expensive'],
  ['S3', 'C', '02-01', '02-01', 'active', 'seat', 'month', 2_000, 5, null],
  ['S3', 'C', '04-01', '04-01', 'active', 'seat', 'month', 2_000, 8, null],
  ['S4', 'D', '02-20', '02-20', 'trialing', 'team', 'month', 2_900, 1, null],
  ['S4', 'D', '03-01', '02-25', 'ended', 'team', 'month', 2_900, 1, null],
  ['S5', 'E', '01-01', '01-01', 'active', 'meter', 'month', 1_000, 1, null],
  ['S6', 'F', '01-20', '01-20', 'active', 'plus', 'month', 5_000, 1, null],
  ['S6', 'F', '03-20', '03-20', 'paused', 'plus', 'month', 5_000, 1, null],
  ['S6', 'F', '04-10', '04-10', 'active', 'plus', 'month', 5_000, 1, null],
  ['S6', 'F', '04-20', '04-12', 'ended', 'plus', 'month', 5_000, 1, null],
  ['S7', 'F', '05-15', '05-15', 'active', 'lite', 'month', 4_000, 1, null],
  ['S8', 'X', '01-03', '01-03', 'active', 'lite', 'month', 4_000, 1, null],
]

/** Its invoices: subscription, customer, day, kind, day of service, amount, whether it is paid. */
const ITEMS: readonly Line[] = [
  ['S1', 'A', '01-05', 'plan', '01-05', 100_000, true],
  ['S2', 'B', '01-24', 'plan', '01-24', 2_900, true],
  ['S2', 'B', '02-24', 'plan', '02-24', 2_900, true],
  ['S2', 'B', '03-24', 'plan', '03-24', 7_900, true],
  ['S2', 'B', '04-24', 'plan', '04-24', 7_900, true],
  ['S3', 'C', '02-01', 'plan', '02-01', 10_000, true],
  ['S3', 'C', '03-01', 'plan', '03-01', 10_000, true],
  ['S3', 'C', '04-01', 'plan', '04-01', 16_000, true],
  ['S3', 'C', '05-01', 'plan', '05-01', 16_000, false],
  ['S5', 'E', '01-01', 'plan', '01-01', 1_000, true],
  ['S5', 'E', '02-03', 'plan', '02-01', 1_000, true],
  ['S5', 'E', '02-03', 'usage', '01-01', 600, true],
  ['S5', 'E', '03-03', 'plan', '03-01', 1_000, true],
  ['S5', 'E', '03-03', 'usage', '02-01', 900, true],
  ['S5', 'E', '04-02', 'plan', '04-01', 1_000, true],
  ['S5', 'E', '04-02', 'usage', '03-01', 1_500, true],
  ['S5', 'E', '05-04', 'plan', '05-01', 1_000, true],
  ['S5', 'E', '05-04', 'usage', '04-01', 300, true],
  ['S5', 'E', '06-01', 'usage', '05-01', 1_200, false],
  ['S6', 'F', '01-20', 'plan', '01-20', 5_000, true],
  ['S6', 'F', '02-20', 'plan', '02-20', 5_000, true],
  ['S6', 'F', '04-10', 'plan', '04-10', 1_613, true],
  ['S7', 'F', '05-15', 'plan', '05-15', 4_000, true],
  ['S8', 'X', '01-03', 'plan', '01-03', 4_000, true],
]

const CURRENCIES = new Map(BUYERS.map(([name, currency]) => [name, currency]))

/** Makes the toy engine's tables with the example of docs/definitions.md 17, and one account of a test that does not count. */
export async function fillToy(database: TestDatabase): Promise<void> {
  const isPostgres = database.dialect.name === 'postgres'
  const [uuid, instant] = isPostgres ? ['uuid', 'timestamp(6)'] : ['char(36)', 'datetime(6)']
  for (const table of TABLES.split(';')) await database.adminQuery(table.replaceAll('UUID', uuid).replaceAll('INSTANT', instant))
  for (const [name, currency, country, created, isTest] of BUYERS) {
    const sector = name === 'D' ? null : name === 'A' || name === 'C' ? 'school' : 'shop'
    const cells = [`Customer ${name}`, `${name}@example.com`, currency, country, sector, false, isTest, `${created} 12:00:00`]
    await insert(database, 'toy_customer', [toyId(String(name)), ...(cells as Line)])
  }
  for (const line of CHANGES) await addChange(database, line)
  for (const [index, line] of ITEMS.entries()) await addItem(database, `I${index}`, line)
}

/** Customer A also pays in euros from March on, and C paid in dollars for a month. */
export async function fillSeveralCurrencies(database: TestDatabase): Promise<void> {
  await fillToy(database)
  await addChange(database, ['S9', 'A', '03-10', '03-10', 'active', 'lite', 'month', 1_000, 1, null], 'EUR')
  await addChange(database, ['S10', 'C', '03-15', '03-15', 'active', 'lite', 'month', 700, 1, null], 'USD')
  await addChange(database, ['S10', 'C', '04-20', '04-20', 'ended', 'lite', 'month', 700, 1, null], 'USD')
  await addItem(database, 'I-S9', ['S9', 'A', '03-10', 'plan', '03-10', 1_000, true], 'EUR')
}

async function addChange(database: TestDatabase, line: Line, currency = CURRENCIES.get(line[1] ?? null)): Promise<void> {
  const [subscription, customer, day, recorded, status, plan, unit, price, seats, remark] = line
  const at = [noon(String(day)), noon(String(recorded))]
  const cells = [status, plan, unit, price, currency, seats, plan === 'meter' ? 1 : 0, remark] as Line
  await insert(database, 'toy_change', [toyId(String(subscription)), ...at, toyId(String(customer)), ...cells])
}

async function addItem(
  database: TestDatabase,
  id: string,
  line: Line,
  currency = CURRENCIES.get(line[1] ?? null),
): Promise<void> {
  const [subscription, customer, day, kind, served, amount, isPaid] = line
  const at = noon(String(day))
  const whose = [`${customer}-${day}`, toyId(String(customer)), toyId(String(subscription))]
  const when = [`2025-${served}`, `2025-${day}`, at, isPaid === true ? at : null]
  await insert(database, 'toy_item', [toyId(id), ...whose, kind as Value, ...when, amount as Value, currency as Value])
}

async function insert(database: TestDatabase, table: string, cells: Line): Promise<void> {
  const isPostgres = database.dialect.name === 'postgres'
  const places = cells.map((_, index) => (isPostgres ? `$${index + 1}` : '?')).join(', ')
  await database.adminQuery(`insert into ${table} values (${places})`, cells)
}
