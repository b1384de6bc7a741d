import { describe, expect, it } from 'vitest'
import { parseCatalog } from '../../connectors/killbill/catalog/parse.ts'
import { catalogXml, phaseXml, planXml } from '../support/data/catalogs/catalog-xml.ts'

function only(xml: string) {
  const [version] = parseCatalog(xml)
  if (version === undefined) throw new Error('no version')
  return version
}

describe('catalog XML (KB 3.3)', () => {
  it('reads plans, phases, durations, products and price lists, prices as text', () => {
    const version = only(
      catalogXml({
        effectiveDate: '2024-01-01T00:00:00+00:00',
        products:
          '<product name="Pro" prettyName="Pro &amp; more"><category>BASE</category><included><addonProduct>Mini</addonProduct></included><available><addonProduct>Seats</addonProduct></available></product>',
        plans: planXml('pro', {
          product: 'Pro',
          pretty: 'Pro (monthly)',
          existing: '2024-07-01T02:00:00+02:00',
          initial: phaseXml('TRIAL', { unit: 'DAYS', number: 14 }),
          final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '30.000', JPY: '4500' }, usage: true }),
        }),
        lists:
          '<defaultPriceList name="DEFAULT"><plans/></defaultPriceList><childPriceList name="SPECIAL"><plans><plan>pro</plan></plans></childPriceList>',
      }),
    )
    expect(version.effective_at.toISOString()).toBe('2024-01-01T00:00:00.000Z')
    expect(version.products.get('Pro')).toEqual({
      name: 'Pro',
      pretty_name: 'Pro & more',
      category: 'BASE',
      available: ['Seats'],
      included: ['Mini'],
    })
    expect(version.plans.get('pro')).toEqual({
      name: 'pro',
      pretty_name: 'Pro (monthly)',
      product: 'Pro',
      price_list: 'SPECIAL',
      existing_from: new Date('2024-07-01T00:00:00Z'),
      in_arrears: false,
      phases: [
        {
          type: 'TRIAL',
          is_final: false,
          duration: { unit: 'DAYS', number: 14 },
          recurring: null,
          fixed: null,
          has_usage: false,
          alignment: 'ACCOUNT',
        },
        {
          type: 'EVERGREEN',
          is_final: true,
          duration: { unit: 'UNLIMITED', number: null },
          recurring: {
            billing_period: 'MONTHLY',
            prices: new Map([
              ['USD', '30.000'],
              ['JPY', '4500'],
            ]),
          },
          fixed: null,
          has_usage: true,
          alignment: 'ACCOUNT',
        },
      ],
    })
  })

  it('reads fixed prices, and gives each phase the alignment of the first case that it meets', () => {
    const fixed = '<fixed><fixedPrice><price><currency>USD</currency><value>5.50</value></price></fixedPrice></fixed>'
    const rules = `<rules><billingAlignment>
      <billingAlignmentCase><phaseType>TRIAL</phaseType><alignment>BUNDLE</alignment></billingAlignmentCase>
      <billingAlignmentCase><billingPeriod>ANNUAL</billingPeriod><productCategory>ADD_ON</productCategory><alignment>BUNDLE</alignment></billingAlignmentCase>
      <billingAlignmentCase><billingPeriod>ANNUAL</billingPeriod><alignment>SUBSCRIPTION</alignment></billingAlignmentCase>
      <billingAlignmentCase><alignment>ACCOUNT</alignment></billingAlignmentCase>
    </billingAlignment></rules>`
    const annual = (name: string) =>
      planXml(name, {
        initial: phaseXml('TRIAL', { unit: 'DAYS', number: 14 }).replace('</phase>', `${fixed}</phase>`),
        final: phaseXml('EVERGREEN', { period: 'ANNUAL', prices: { USD: '300' } }),
      })
    const monthly = planXml('monthly', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: '30' } }) })
    const xml = catalogXml({ plans: annual('annual') + monthly }).replace('<plans>', `${rules}<plans>`)
    const { plans } = only(xml)
    const phases = [...plans.values()].flatMap((plan) => plan.phases.map(({ fixed, alignment }) => [plan.name, alignment, fixed]))
    expect(phases).toEqual([
      ['annual', 'BUNDLE', new Map([['USD', '5.50']])],
      ['annual', 'SUBSCRIPTION', null],
      ['monthly', 'ACCOUNT', null],
    ])
  })

  it('reads a date without offset as GMT, one with offset as the instant it names', () => {
    const at = (effectiveDate: string) => only(catalogXml({ effectiveDate })).effective_at.toISOString()
    expect(at('2024-01-01T10:00:00')).toBe('2024-01-01T10:00:00.000Z')
    expect(at('2024-01-01')).toBe('2024-01-01T00:00:00.000Z')
    expect(at('2024-01-01T10:00:00-0500')).toBe('2024-01-01T15:00:00.000Z')
    expect(at('2024-01-01T10:00:00.250Z')).toBe('2024-01-01T10:00:01.000Z')
    expect(() => at('soon')).toThrow('not a date: "soon"')
  })

  it('keeps apart an empty price list, a missing one, a listed currency without value and no recurring section', () => {
    const plans = [
      planXml('empty', {
        final:
          '<finalPhase type="EVERGREEN"><recurring><billingPeriod>MONTHLY</billingPeriod><recurringPrice/></recurring></finalPhase>',
      }),
      planXml('nil', {
        final:
          '<finalPhase type="EVERGREEN"><recurring><billingPeriod>MONTHLY</billingPeriod><recurringPrice><price><currency>USD</currency><value xsi:nil="true"/></price></recurringPrice></recurring></finalPhase>',
      }),
      planXml('none', { final: '<finalPhase type="EVERGREEN"><fixed><fixedPrice/></fixed></finalPhase>' }),
    ]
    const version = only(catalogXml({ plans: plans.join('') }))
    const recurring = (name: string) => version.plans.get(name)?.phases.at(-1)?.recurring
    expect(recurring('empty')?.prices.size).toBe(0)
    expect(recurring('nil')?.prices).toEqual(new Map([['USD', null]]))
    expect(recurring('none')).toBeNull()
  })

  it('does not read the old layout with the price directly under the phase', () => {
    const final =
      '<finalPhase type="EVERGREEN"><billingPeriod>MONTHLY</billingPeriod><recurringPrice><price><currency>USD</currency><value>1</value></price></recurringPrice></finalPhase>'
    expect(only(catalogXml({ plans: planXml('old', { final }) })).plans.get('old')?.phases[0]?.recurring).toBeNull()
  })

  it('ignores template catalogs and takes every version of a list', () => {
    expect(parseCatalog('<catalog><effectiveDate>2024-01-01</effectiveDate><products/><plans/><currencies/></catalog>')).toEqual(
      [],
    )
    const [a, b] = [catalogXml({ effectiveDate: '2024-01-01' }), catalogXml({ effectiveDate: '2024-02-01' })]
    const list = `\ufeff<?xml version="1.0" encoding="UTF-8"?><catalogs>${a}${b}</catalogs>`
    expect(parseCatalog(list).map((version) => version.effective_at.getUTCMonth())).toEqual([0, 1])
    // As the engine's own REST interface returns them.
    const [c, d] = [a, b].map((xml) => xml.replace(/<catalog /, '<version ').replace('</catalog>', '</version>'))
    const exported = `<catalogs><versions>${c}${d}</versions></catalogs>`
    expect(parseCatalog(exported).map((version) => version.effective_at.getUTCMonth())).toEqual([0, 1])
  })

  it('expands nothing that a document declares', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`)
    const bomb = `<!DOCTYPE catalog [<!ENTITY e0 "boom">${lines.join('')}]>`
    const version = only(bomb + catalogXml({ name: 'a &e30; &lt; &#65;&#x42;' }))
    expect(version.name).toBe('a &e30; < AB')
    expect(only(`<!DOCTYPE c [<!ENTITY f SYSTEM "file:///etc/hostname">]>${catalogXml({ name: '&f;' })}`).name).toBe('&f;')
  })

  it('refuses what is not a catalog, with line and reason', () => {
    expect(() => parseCatalog('<catalog>\n<plans></catalog>')).toThrow(/line 2/)
    expect(() => parseCatalog('')).toThrow()
    expect(() => parseCatalog('{"not": "xml"}')).toThrow()
    expect(() => parseCatalog('<overdueConfig/>')).toThrow('no catalog element with an effectiveDate')
    // Of many attributes or a deep document there is nothing to wait for.
    const attributes = Array.from({ length: 200_000 }, (_, index) => `a${index}="x"`).join(' ')
    expect(() => parseCatalog(`<catalog ${attributes}/>`)).toThrow('no catalog element')
    expect(() => parseCatalog(`<!-- ${attributes} --><overdueConfig/>`)).toThrow('no catalog element')
    expect(() => parseCatalog('<a>'.repeat(100_000) + '</a>'.repeat(100_000))).toThrow('no catalog element')
  })
})

describe('prices as XML Schema writes decimals', () => {
  const read = (value: string) => {
    const version = only(
      catalogXml({ plans: planXml('pro', { final: phaseXml('EVERGREEN', { period: 'MONTHLY', prices: { USD: value } }) }) }),
    )
    return { price: version.plans.get('pro')?.phases[0]?.recurring?.prices.get('USD'), unreadable: version.unreadable }
  }

  it.each([
    ['.95', '0.95'],
    ['+5.00', '5.00'],
    ['5.', '5'],
    ['-0', '0'],
    ['-.0', '0.0'],
    ['007.50', '7.50'],
    [' \n 5.00 \t', '5.00'],
    ['9.990000000000000000', '9.99'],
  ])('%j is %s', (written, price) => {
    expect(read(written)).toEqual({ price, unreadable: [] })
  })

  it.each([
    ['1e3', 'is no decimal number'],
    ['1,50', 'is no decimal number'],
    ['1 000', 'is no decimal number'],
    ['.', 'is no decimal number'],
    ['+', 'is no decimal number'],
    ['NaN', 'is no decimal number'],
    ['-5.00', 'is negative'],
    ['1234567890123456', 'has more than 15 digits before the point or 12 after it'],
    ['0.1234567890123', 'has more than 15 digits before the point or 12 after it'],
  ])('%s is refused by name', (text, reason) => {
    expect(read(text)).toEqual({
      price: null,
      unreadable: [{ plan: 'pro', phase: 'EVERGREEN', currency: 'USD', text, reason }],
    })
  })
})
