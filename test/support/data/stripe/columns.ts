/** The statement that makes a table with a typed column for each field of its documents, in the schema `columns`. */
export function asColumns(table: string): string {
  return `create schema if not exists columns;
    create table columns.${table} (id text primary key, last_synced_at timestamptz);
    do $$ declare name text; begin
      for name in select distinct key from stripe.${table}, jsonb_object_keys(_raw_data) as key where key <> 'id' loop
        execute format('alter table columns.${table} add column %I jsonb', name);
      end loop;
    end $$;
    insert into columns.${table} select filled.* from stripe.${table} as t,
      jsonb_populate_record(null::columns.${table}, t._raw_data || jsonb_build_object('last_synced_at', t._last_synced_at)) as filled`
}
