import type { AccountRecord, ItemRecord, VendorRecord } from '../../../src/connector-kit/index.ts'
import { normalizeAccountType } from '../canonical.ts'
import { keptOf } from './document.ts'
import { ACCOUNT, ITEM, VENDOR } from './shapes.ts'
import { metadataOf } from './values.ts'

export function vendorOf(native: unknown): VendorRecord {
  const vendor = VENDOR.parse(native)
  return {
    kind: 'vendor',
    ...keptOf(vendor),
    name: vendor.DisplayName ?? vendor.CompanyName ?? vendor.Id,
    is_active: vendor.Active ?? true,
    metadata: metadataOf({ native_company_name: vendor.CompanyName, native_sync_token: vendor.SyncToken }),
  }
}

/** The name is the whole path of a sub-account (`Utilities:Telephone`), because the last part alone may occur several times. */
export function accountOf(native: unknown): AccountRecord {
  const account = ACCOUNT.parse(native)
  const { AccountType: type } = account
  return {
    kind: 'account',
    ...keptOf(account),
    name: account.FullyQualifiedName ?? account.Name ?? account.Id,
    account_type: type == null ? null : normalizeAccountType(type),
    parent_external_id: account.ParentRef?.value ?? null,
    is_active: account.Active ?? true,
    metadata: metadataOf({
      native_account_type: type,
      native_account_sub_type: account.AccountSubType,
      native_number: account.AcctNum,
      native_sync_token: account.SyncToken,
    }),
  }
}

export function itemOf(native: unknown): ItemRecord {
  const item = ITEM.parse(native)
  return {
    kind: 'item',
    ...keptOf(item),
    name: item.FullyQualifiedName ?? item.Name ?? item.Id,
    account_external_id: item.ExpenseAccountRef?.value ?? null,
    metadata: metadataOf({
      native_item_type: item.Type,
      native_active: item.Active === false ? false : null,
      native_sync_token: item.SyncToken,
    }),
  }
}
