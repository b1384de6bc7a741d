import * as z from 'zod'

/** Numbers are text here (`parseExactly`). */
const amount = z.string().regex(/^-?\d+(\.\d+)?([eE][+-]?\d{1,2})?$/)
const text = z.string().nullish()
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}/)
const ref = z.object({ value: z.string(), name: text }).nullish()

export type Reference = z.output<typeof ref>

/** The fields of every record. */
const kept = {
  Id: z.string(),
  SyncToken: text,
  MetaData: z.object({ LastUpdatedTime: z.iso.datetime({ offset: true }) }),
}

export const VENDOR = z.object({ ...kept, DisplayName: text, CompanyName: text, Active: z.boolean().nullish() })

export const ACCOUNT = z.object({
  ...kept,
  Name: text,
  FullyQualifiedName: text,
  AccountType: text,
  AccountSubType: text,
  AcctNum: text,
  ParentRef: ref,
  Active: z.boolean().nullish(),
})

export const ITEM = z.object({
  ...kept,
  Name: text,
  FullyQualifiedName: text,
  Type: text,
  ExpenseAccountRef: ref,
  Active: z.boolean().nullish(),
})

const detail = z
  .object({
    AccountRef: ref,
    ItemRef: ref,
    ClassRef: ref,
    CustomerRef: ref,
    TaxCodeRef: ref,
    TaxInclusiveAmt: amount.nullish(),
  })
  .nullish()

const line = z.object({
  Id: text,
  Amount: amount.nullish(),
  Description: text,
  DetailType: text,
  ProjectRef: ref,
  AccountBasedExpenseLineDetail: detail,
  ItemBasedExpenseLineDetail: detail,
  get GroupLineDetail() {
    return z.object({ Line: z.array(line).nullish() }).nullish()
  },
})
export type NativeLine = z.output<typeof line>

/** The fields of every document. */
const document = {
  ...kept,
  DocNumber: text,
  TxnDate: day,
  CurrencyRef: ref,
  ExchangeRate: amount.nullish(),
  PrivateNote: text,
  TotalAmt: amount,
  DepartmentRef: ref,
}

const spending = { ...document, ClassRef: ref, GlobalTaxCalculation: text, Line: z.array(line).nullish() }

const SPENDING = z.object(spending)
export type NativeSpending = z.output<typeof SPENDING>

export const BILL = z.object({ ...spending, VendorRef: ref, DueDate: day.nullish(), Balance: amount })

/** Older companies leave the balance of a credit out until it is used. */
export const VENDOR_CREDIT = z.object({
  ...spending,
  VendorRef: ref,
  Balance: amount.nullish(),
  LinkedTxn: z.array(z.unknown()).nullish(),
})

export const PURCHASE = z.object({
  ...spending,
  PaymentType: text,
  Credit: z.boolean().nullish(),
  AccountRef: ref,
  EntityRef: z.object({ value: z.string(), name: text, type: text }).nullish(),
})

export const BILL_PAYMENT = z.object({
  ...document,
  VendorRef: ref,
  PayType: text,
  Line: z
    .array(
      z.object({
        Amount: amount.nullish(),
        LinkedTxn: z.array(z.object({ TxnId: z.string(), TxnType: z.string() })).nullish(),
      }),
    )
    .nullish(),
})
export type NativeDocument = z.output<typeof BILL_PAYMENT> | NativeSpending
