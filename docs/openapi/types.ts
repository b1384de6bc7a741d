// Written by `npm run client` from /openapi.json.

export interface paths {
    readonly "/api/metrics": {
        /** List metrics */
        readonly get: operations["metrics"];
    };
    readonly "/api/tenants": {
        /** List tenants */
        readonly get: operations["tenants"];
    };
    readonly "/api/metrics/{metric}/fields": {
        /** List the fields of a metric */
        readonly get: operations["metric_fields"];
    };
    readonly "/api/metrics/{metric}/fields/{field}/values": {
        /** List the values of a field */
        readonly get: operations["field_values"];
    };
    readonly "/api/definitions": {
        /** Get a definition set */
        readonly get: operations["definitions"];
    };
    readonly "/api/metrics/{metric}/bridge": {
        /** Explain the difference between two definition sets */
        readonly get: operations["metric_bridge"];
    };
    readonly "/api/metrics/summary": {
        /** Get the headline metrics */
        readonly get: operations["summary"];
    };
    readonly "/api/metrics/churn": {
        /** Logo churn rate; with type=revenue, revenue churn rate */
        readonly get: operations["churn"];
    };
    readonly "/api/metrics/churn/customers": {
        /** Every customer live at the start, with its churn in the range */
        readonly get: operations["churn_customers"];
    };
    readonly "/api/metrics/churn/revenue-events": {
        /** Customers that lost MRR by churn in the range, largest loss first */
        readonly get: operations["churn_revenue_events"];
    };
    readonly "/api/metrics/expenses": {
        /** All expenses in a range of days */
        readonly get: operations["expenses"];
    };
    readonly "/api/metrics/expenses/by_account_type": {
        /** Expenses by account type, largest first */
        readonly get: operations["expenses_by_account_type"];
    };
    readonly "/api/metrics/expenses/by_vendor": {
        /** Expenses by vendor, largest first */
        readonly get: operations["expenses_by_vendor"];
    };
    readonly "/api/metrics/expenses/series": {
        /** Expenses of each period, by account type */
        readonly get: operations["expenses_series"];
    };
    readonly "/api/metrics/churn/involuntary": {
        /** Share of the churned customers that did not pay when they churned */
        readonly get: operations["churn_involuntary"];
    };
    readonly "/api/metrics/churn/involuntary/revenue": {
        /** Share of the lost MRR of customers that did not pay when they lost it */
        readonly get: operations["churn_involuntary_revenue"];
    };
    readonly "/api/metrics/ledger/revenue": {
        /** Billings, recognized revenue and deferred revenue of each period */
        readonly get: operations["ledger_revenue"];
    };
    readonly "/api/metrics/ledger/recognized": {
        /** Recognized revenue of a range */
        readonly get: operations["ledger_recognized"];
    };
    readonly "/api/metrics/ledger/deferred": {
        /** Deferred revenue at the end of a month, by the month in which it becomes revenue */
        readonly get: operations["ledger_deferred"];
    };
    readonly "/api/metrics/ledger/waterfall": {
        /** Recognized revenue by the month in which it was billed and the month in which it is recognized */
        readonly get: operations["ledger_waterfall"];
    };
    readonly "/api/metrics/ledger/receivables": {
        /** Open balances of invoices at the end of a day, by days past due */
        readonly get: operations["ledger_receivables"];
    };
    readonly "/api/metrics/ledger/receivables/movements": {
        /** Movements of receivables of each period */
        readonly get: operations["ledger_receivables_movements"];
    };
    readonly "/api/metrics/ledger/cash": {
        /** Payments, refunds and chargebacks of each period */
        readonly get: operations["ledger_cash"];
    };
    readonly "/api/metrics/ledger/credits": {
        /** Customer credit of each period */
        readonly get: operations["ledger_credits"];
    };
    readonly "/api/metrics/ledger/trial-balance": {
        /** Debit and credit of each account at the end of a day, or of a range */
        readonly get: operations["ledger_trial_balance"];
    };
    readonly "/api/metrics/ledger/mrr-bridge": {
        /** From MRR at the end of a month to the recognized revenue of the month, step by step */
        readonly get: operations["ledger_mrr_bridge"];
    };
    readonly "/api/metrics/ledger/dso": {
        /** Days sales outstanding and collection period at the end of a day */
        readonly get: operations["ledger_dso"];
    };
    readonly "/api/metrics/ledger/collections": {
        /** Attempts to collect invoices by the period of the first attempt, and what was recovered after a failure */
        readonly get: operations["ledger_collections"];
    };
    readonly "/api/metrics/ledger/corrections": {
        /** Recognized revenue of each period as it was known on a day, and as it is known now */
        readonly get: operations["ledger_corrections"];
    };
    readonly "/api/metrics/ltv": {
        /** Lifetime value of a customer: ARPU divided by the monthly logo churn rate */
        readonly get: operations["ltv"];
    };
    readonly "/api/metrics/ltv/arpu": {
        /** MRR per paying customer on a day, or as a series */
        readonly get: operations["ltv_arpu"];
    };
    readonly "/api/metrics/ltv/sale-price": {
        /** Average first MRR of the customers that were won in the range */
        readonly get: operations["ltv_sale_price"];
    };
    readonly "/api/metrics/ltv/cohort": {
        /** Revenue in the range from the customers of each monthly cohort */
        readonly get: operations["ltv_cohort"];
    };
    readonly "/api/metrics/mrr": {
        /** Monthly recurring revenue on a day, or as a series with the net movement of each period */
        readonly get: operations["mrr"];
    };
    readonly "/api/metrics/arr": {
        /** Annual recurring revenue, 12 times MRR, on a day or as a series */
        readonly get: operations["arr"];
    };
    readonly "/api/metrics/mrr/components": {
        /** MRR split into its recurring and usage components, on a day or as a series */
        readonly get: operations["mrr_components"];
    };
    readonly "/api/metrics/mrr/breakdown": {
        /** MRR movements in a range, by type */
        readonly get: operations["mrr_breakdown"];
    };
    readonly "/api/metrics/mrr/waterfall": {
        /** Bridge from starting to ending MRR, for each period */
        readonly get: operations["mrr_waterfall"];
    };
    readonly "/api/metrics/mrr/why": {
        /** Why MRR changed: by kind of movement, by plan, and the largest movements */
        readonly get: operations["mrr_why"];
    };
    readonly "/api/metrics/retention": {
        /** Cohort matrix of customers or revenue; with query_type nrr or grr, net or gross revenue retention */
        readonly get: operations["retention"];
    };
    readonly "/api/metrics/trials": {
        /** Share of the trials begun in the range that converted */
        readonly get: operations["trials"];
    };
    readonly "/api/metrics/trials/funnel": {
        /** Trials begun in the range: converted, expired and pending */
        readonly get: operations["trials_funnel"];
    };
    readonly "/api/metrics/trials/time-to-convert": {
        /** Trials begun in the range that converted, by the days until then */
        readonly get: operations["trials_time_to_convert"];
    };
    readonly "/api/metrics/trials/series": {
        /** Trial funnel of each period, by the day a trial began */
        readonly get: operations["trials_series"];
    };
    readonly "/api/metrics/usage-revenue": {
        /** Paid usage in the range */
        readonly get: operations["usage_revenue"];
    };
    readonly "/api/metrics/usage-revenue/series": {
        /** Paid usage of each period, by start of service */
        readonly get: operations["usage_revenue_series"];
    };
    readonly "/api/metrics/usage-revenue/by-customer": {
        /** Paid usage of each customer, largest first */
        readonly get: operations["usage_revenue_by_customer"];
    };
    readonly "/api/metrics/{metric}/rows": {
        /** List the rows behind a number */
        readonly get: operations["metric_rows"];
    };
    readonly "/api/metrics/{metric}": {
        /** Query a metric */
        readonly post: operations["query_metric"];
    };
    readonly "/api/customers": {
        /** List customers */
        readonly get: operations["customers"];
    };
    readonly "/api/subscriptions": {
        /** List subscriptions */
        readonly get: operations["subscriptions"];
    };
    readonly "/api/invoices": {
        /** List invoices */
        readonly get: operations["invoices"];
    };
    readonly "/api/invoices/ages": {
        /** Sum open invoices by age */
        readonly get: operations["invoice_ages"];
    };
    readonly "/api/subscriptions/renewals": {
        /** List renewals to come */
        readonly get: operations["renewals"];
    };
    readonly "/api/forecast/billings": {
        /** List charges to come */
        readonly get: operations["billings"];
    };
    readonly "/api/ledger/open-invoices": {
        /** List invoices that were open at the end of a day */
        readonly get: operations["ledger_open_invoices"];
    };
    readonly "/api/ledger/schedule": {
        /** Show how the charges of an invoice or a subscription become revenue */
        readonly get: operations["ledger_schedule"];
    };
    readonly "/api/ledger/journal": {
        /** Write the journal of a range */
        readonly get: operations["ledger_journal"];
    };
    readonly "/api/customers/{id}": {
        /** Get a customer */
        readonly get: operations["customer"];
    };
    readonly "/api/billing-health": {
        /** Compare agreed with billed amounts */
        readonly get: operations["billing_health"];
    };
    readonly "/api/billing-health/findings": {
        /** List subscriptions billed otherwise than agreed */
        readonly get: operations["billing_findings"];
    };
    readonly "/api/billing-health/notices": {
        /** List what else about billing needs a look */
        readonly get: operations["billing_notices"];
    };
    readonly "/api/billing-health/marks": {
        /** List marks of findings and notices */
        readonly get: operations["billing_marks"];
        /** Mark a finding or a notice */
        readonly post: operations["create_billing_mark"];
    };
    readonly "/api/billing-health/marks/{id}": {
        /** Remove a mark */
        readonly delete: operations["delete_billing_mark"];
    };
    readonly "/api/segments/fields": {
        /** List segment fields */
        readonly get: operations["segment_fields"];
    };
    readonly "/api/segments/validate": {
        /** Validate a segment definition */
        readonly post: operations["validate_segment"];
    };
    readonly "/api/segments": {
        /** List segments */
        readonly get: operations["segments"];
        /** Create a segment */
        readonly post: operations["create_segment"];
    };
    readonly "/api/segments/{id}": {
        /** Get a segment */
        readonly get: operations["segment"];
        /** Update a segment */
        readonly put: operations["update_segment"];
        /** Delete a segment */
        readonly delete: operations["delete_segment"];
    };
    readonly "/api/notes": {
        /** List notes */
        readonly get: operations["notes"];
        /** Add a note */
        readonly post: operations["create_note"];
    };
    readonly "/api/notes/{id}": {
        /** Get a note */
        readonly get: operations["note"];
        /** Update a note */
        readonly put: operations["update_note"];
        /** Delete a note */
        readonly delete: operations["delete_note"];
    };
    readonly "/api/goals": {
        /** List goals */
        readonly get: operations["goals"];
        /** Set a goal */
        readonly post: operations["create_goal"];
    };
    readonly "/api/goals/{id}": {
        /** Get a goal */
        readonly get: operations["goal"];
        /** Change the value of a goal */
        readonly put: operations["update_goal"];
        /** Delete a goal */
        readonly delete: operations["delete_goal"];
    };
    readonly "/api/goals/import": {
        /** Import goals from a CSV file */
        readonly post: operations["import_goals"];
    };
    readonly "/api/attributes/import": {
        /** Import attributes from a CSV file */
        readonly post: operations["import_attributes"];
    };
    readonly "/api/bills": {
        /** Current bills and vendor credits, newest first */
        readonly get: operations["bills"];
    };
    readonly "/api/expenses/lines": {
        /** Counted lines of bills and expenses, newest first */
        readonly get: operations["lines"];
    };
    readonly "/api/vendors": {
        /** Vendors with the amounts owed to them, by name */
        readonly get: operations["vendors"];
    };
    readonly "/api/expenses/import": {
        /** Import bills and expenses from a CSV file */
        readonly post: operations["import_expenses"];
    };
    readonly "/api/fx/rates": {
        /** List exchange rates */
        readonly get: operations["fx_rates"];
    };
    readonly "/api/fx/missing": {
        /** List missing exchange rates */
        readonly get: operations["missing_fx_rates"];
    };
    readonly "/api/fx/rates/import": {
        /** Import exchange rates from a CSV file */
        readonly post: operations["import_fx_rates"];
    };
    readonly "/api/fx/fetch/ecb": {
        /** Fetch the rates of the European Central Bank */
        readonly post: operations["fetch_fx_rates"];
    };
    readonly "/api/attributes": {
        /** List attributes */
        readonly get: operations["attributes"];
        /** Declare an attribute */
        readonly post: operations["declare_attribute"];
    };
    readonly "/api/attributes/{key}": {
        /** Update an attribute */
        readonly put: operations["update_attribute"];
    };
    readonly "/api/attributes/{key}/values": {
        /** List the values of an attribute */
        readonly get: operations["attribute_values"];
    };
    readonly "/api/customer-attributes": {
        /** List attribute values of all customers */
        readonly get: operations["customer_attributes"];
    };
    readonly "/api/customers/{id}/attributes": {
        /** Set attributes of a customer */
        readonly post: operations["set_attributes"];
    };
    readonly "/api/customers/{id}/attributes/{key}": {
        /** Delete an attribute value of a customer */
        readonly delete: operations["delete_attribute_value"];
    };
    readonly "/api/dashboards": {
        /** List dashboards */
        readonly get: operations["dashboards"];
        /** Create a dashboard */
        readonly post: operations["create_dashboard"];
    };
    readonly "/api/dashboards/{id}": {
        /** Get a dashboard */
        readonly get: operations["dashboard"];
        /** Update a dashboard */
        readonly put: operations["update_dashboard"];
        /** Delete a dashboard */
        readonly delete: operations["delete_dashboard"];
    };
    readonly "/api/dashboards/{id}/sections": {
        /** Add a section to a dashboard */
        readonly post: operations["add_section"];
    };
    readonly "/api/dashboards/{id}/sections/{sid}": {
        /** Update a section */
        readonly put: operations["update_section"];
        /** Delete a section */
        readonly delete: operations["delete_section"];
    };
    readonly "/api/dashboards/{id}/charts": {
        /** Add a chart to a dashboard */
        readonly post: operations["place_chart"];
    };
    readonly "/api/dashboards/{id}/charts/{cid}": {
        /** Move a chart on its dashboard */
        readonly put: operations["move_chart"];
        /** Remove a chart from a dashboard */
        readonly delete: operations["remove_chart"];
    };
    readonly "/api/charts": {
        /** List charts */
        readonly get: operations["charts"];
        /** Save a chart */
        readonly post: operations["create_chart"];
    };
    readonly "/api/charts/{id}": {
        /** Update a chart */
        readonly put: operations["update_chart"];
        /** Delete a chart */
        readonly delete: operations["delete_chart"];
    };
    readonly "/api/deliveries": {
        /** List deliveries */
        readonly get: operations["deliveries"];
        /** Create a delivery */
        readonly post: operations["create_delivery"];
    };
    readonly "/api/deliveries/{id}": {
        /** Get a delivery */
        readonly get: operations["delivery"];
        /** Update a delivery */
        readonly put: operations["update_delivery"];
        /** Delete a delivery */
        readonly delete: operations["delete_delivery"];
    };
    readonly "/api/deliveries/{id}/runs": {
        /** List the runs of a delivery */
        readonly get: operations["delivery_runs"];
    };
    readonly "/api/deliveries/{id}/test": {
        /** Send a test message */
        readonly post: operations["test_delivery"];
    };
    readonly "/api/deliveries/{id}/preview": {
        /** Show what a run would send */
        readonly post: operations["preview_delivery"];
    };
    readonly "/api/links": {
        /** List links */
        readonly get: operations["links"];
        /** Create a link */
        readonly post: operations["create_link"];
    };
    readonly "/api/links/{id}": {
        /** Revoke a link */
        readonly delete: operations["revoke_link"];
    };
    readonly "/api/shared": {
        /** The dashboard of a link */
        readonly get: operations["shared_page"];
    };
    readonly "/shared": {
        /** The page of a link */
        readonly get: operations["shared_page_html"];
    };
    readonly "/feed/{file}": {
        /** The rows of a shared chart */
        readonly get: operations["feed"];
    };
    readonly "/api/sources": {
        /** List sources */
        readonly get: operations["sources"];
        /** Add a source */
        readonly post: operations["add_source"];
    };
    readonly "/api/sources/{id}": {
        /** Disconnect a source */
        readonly delete: operations["disconnect_source"];
    };
    readonly "/api/sources/{id}/backfill": {
        /** Backfill a source */
        readonly post: operations["backfill_source"];
    };
    readonly "/api/sources/{id}/dead-letters": {
        /** List dead letters */
        readonly get: operations["dead_letters"];
    };
    readonly "/api/sources/{id}/dead-letters/retry": {
        /** Retry dead letters */
        readonly post: operations["retry_dead_letters"];
    };
    readonly "/api/sources/{id}/dead-letters/{letter}": {
        /** Delete a dead letter */
        readonly delete: operations["drop_dead_letter"];
    };
    readonly "/api/connectors/{type}/oauth/start": {
        /** Start to connect a company */
        readonly get: operations["start_consent"];
    };
    readonly "/api/connectors/{type}/oauth/callback": {
        /** Finish to connect a company */
        readonly get: operations["end_consent"];
    };
    readonly "/api/webhooks/{address}": {
        /** Receive notifications of a platform */
        readonly post: operations["webhook"];
    };
    readonly "/mcp": {
        /** Send an MCP message */
        readonly post: operations["mcp"];
    };
    readonly "/auth/config": {
        /** Get the sign-in settings */
        readonly get: operations["auth_config"];
    };
    readonly "/auth/me": {
        /** Get the current principal */
        readonly get: operations["auth_me"];
    };
    readonly "/api/keys": {
        /** List API keys */
        readonly get: operations["keys"];
        /** Create an API key */
        readonly post: operations["create_key"];
    };
    readonly "/api/keys/{id}": {
        /** Revoke an API key */
        readonly delete: operations["revoke_key"];
    };
    readonly "/api/audit": {
        /** List audit events */
        readonly get: operations["audit"];
    };
    readonly "/healthz": {
        /** Check liveness */
        readonly get: operations["healthz"];
    };
    readonly "/readyz": {
        /** Check readiness */
        readonly get: operations["readyz"];
    };
    readonly "/api/checks": {
        /** Check the setup */
        readonly get: operations["checks"];
    };
    readonly "/api/verify/checks": {
        /** List the checks */
        readonly get: operations["verify_checks"];
    };
    readonly "/api/verify": {
        /** Verify the data */
        readonly get: operations["verify"];
    };
    readonly "/metrics": {
        /** Prometheus metrics of the service */
        readonly get: operations["prometheus"];
    };
    readonly "/": {
        /** The dashboard */
        readonly get: operations["root"];
    };
    readonly "/assets/{file}": {
        /** Asset of the dashboard */
        readonly get: operations["web_asset"];
    };
    readonly "/docs": {
        /** Interactive documentation */
        readonly get: operations["docs"];
    };
    readonly "/redoc": {
        /** API reference on one page */
        readonly get: operations["redoc"];
    };
    readonly "/docs/assets/{file}": {
        /** Asset of the documentation pages */
        readonly get: operations["docs_asset"];
    };
    readonly "/openapi.json": {
        /** Get the OpenAPI document */
        readonly get: operations["openapi"];
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Additional fields depend on the code, such as `available_dimensions` or `missing`.
         *
         *     | Code | Status | Meaning |
         *     |---|---|---|
         *     | `unauthorized` | 401 | The credential or webhook signature is missing or invalid |
         *     | `forbidden_host` | 403 | The service does not answer under this host name |
         *     | `forbidden` | 403 | The credential lacks a scope, or the request comes from a page of another origin |
         *     | `payload_too_large` | 413 | The body is larger than the limit |
         *     | `unsupported_media_type` | 415 | The path does not accept this Content-Type |
         *     | `not_acceptable` | 406 | No media type in `Accept` is available |
         *     | `not_found` | 404 | Unknown path or resource id |
         *     | `method_not_allowed` | 405 | The path does not support this method |
         *     | `unknown_metric` | 404 | No metric has this name |
         *     | `invalid_json` | 400 | The body is not valid JSON |
         *     | `validation_failed` | 422 | The body has the wrong shape |
         *     | `unknown_dimension` | 400 | The query has no such dimension |
         *     | `unknown_filter` | 400 | The query has no such filter |
         *     | `unknown_attribute` | 400 | No attribute has this key |
         *     | `invalid_operator` | 400 | The operator does not exist or does not fit the type |
         *     | `invalid_value` | 400 | A parameter or value is invalid |
         *     | `invalid_interval` | 400 | The interval or granularity is unknown or not available |
         *     | `invalid_range` | 400 | The dates are not a valid range |
         *     | `too_many_segments` | 400 | The request compares too many segments |
         *     | `invalid_csv` | 400 | The CSV file is malformed |
         *     | `unknown_segment` | 404 | No segment has this id |
         *     | `conflict` | 409 | The request conflicts with the current state |
         *     | `read_only_attribute` | 409 | The attribute belongs to the billing engine |
         *     | `unsupported_by_connector` | 422 | The connector cannot supply what the query needs |
         *     | `missing_fx_rate` | 422 | A required exchange rate is missing |
         *     | `unpriced_plan` | 422 | A required price is not in the catalog |
         *     | `canonical_enum_violation` | 422 | A value is outside its canonical set |
         *     | `result_too_large` | 422 | The answer has too many rows, or a sum above 2^53 cents |
         *     | `connector_unavailable` | 503 | The database or store is unreachable |
         *     | `overloaded` | 503 | Too many requests at a time; retry after `retry-after` seconds |
         *     | `replica_lagging` | 503 | The replica lags behind more than allowed |
         *     | `query_timeout` | 504 | The query exceeded its time limit |
         *     | `internal` | 500 | Internal error |
         */
        readonly Error: {
            /** @description Human-readable message. Test `code` in programs */
            readonly detail: string;
            /** @enum {string} */
            readonly code: "unauthorized" | "forbidden_host" | "forbidden" | "payload_too_large" | "unsupported_media_type" | "not_acceptable" | "not_found" | "method_not_allowed" | "unknown_metric" | "invalid_json" | "validation_failed" | "unknown_dimension" | "unknown_filter" | "unknown_attribute" | "invalid_operator" | "invalid_value" | "invalid_interval" | "invalid_range" | "too_many_segments" | "invalid_csv" | "unknown_segment" | "conflict" | "read_only_attribute" | "unsupported_by_connector" | "missing_fx_rate" | "unpriced_plan" | "canonical_enum_violation" | "result_too_large" | "connector_unavailable" | "overloaded" | "replica_lagging" | "query_timeout" | "internal";
            readonly request_id: string;
            /** @description All problems with the request: the first 100, or the first `limits.issues` */
            readonly issues?: readonly components["schemas"]["Issue"][];
            /** @description Total number of issues, including those not listed */
            readonly issues_total?: number;
        } & {
            readonly [key: string]: unknown;
        };
        /** @description One problem with the request */
        readonly Issue: {
            /** @enum {string} */
            readonly code: "unauthorized" | "forbidden_host" | "forbidden" | "payload_too_large" | "unsupported_media_type" | "not_acceptable" | "not_found" | "method_not_allowed" | "unknown_metric" | "invalid_json" | "validation_failed" | "unknown_dimension" | "unknown_filter" | "unknown_attribute" | "invalid_operator" | "invalid_value" | "invalid_interval" | "invalid_range" | "too_many_segments" | "invalid_csv" | "unknown_segment" | "conflict" | "read_only_attribute" | "unsupported_by_connector" | "missing_fx_rate" | "unpriced_plan" | "canonical_enum_violation" | "result_too_large" | "connector_unavailable" | "overloaded" | "replica_lagging" | "query_timeout" | "internal";
            /** @description `query.<name>`, `body.<path>` or `path.<name>` */
            readonly where: string;
            /** @description The value you sent */
            readonly value?: unknown;
            readonly message: string;
            /** @description Similar names, most similar first */
            readonly did_you_mean: readonly string[];
        };
        /** @description A tenant of the billing engine */
        readonly Tenant: {
            readonly name: string;
            /** @description Id of the tenant in the billing engine */
            readonly source_id: string;
        };
        /** @description The dimensions, attributes, filters and figures of a metric */
        readonly MetricFields: {
            readonly dimensions: readonly {
                readonly key: string;
                /** @description Display name */
                readonly label: string;
                /** @enum {string} */
                readonly type: "string" | "number" | "boolean" | "date" | "timestamp";
                /** @description Query types that can be grouped by it */
                readonly queries: readonly string[];
            }[];
            readonly time_dimensions: readonly {
                readonly key: string;
                /** @description Display name */
                readonly label: string;
            }[];
            readonly attributes: readonly {
                readonly key: string;
                /** @description Display name */
                readonly label: string;
                /** @enum {string} */
                readonly type: "string" | "number" | "boolean" | "date" | "timestamp";
                readonly source: string;
                readonly description?: string;
                /** @description Query types that can be grouped by it */
                readonly queries: readonly string[];
            }[];
            readonly filters: readonly {
                readonly key: string;
                /** @description Display name */
                readonly label: string;
                /** @enum {string} */
                readonly type: "string" | "number" | "boolean" | "date" | "timestamp";
                readonly operators: readonly string[];
            }[];
            readonly query_types: readonly string[];
            /** @description The query types that answer one number. A bridge takes them */
            readonly numbers: readonly {
                readonly query_type: string;
                /**
                 * @description Whether the number is that of a day (`at`) or of a range (`start`, `end`, `range`)
                 * @enum {string}
                 */
                readonly dates: "day" | "range";
            }[];
            /** @description The figures that menus and searches offer, in their order */
            readonly figures: readonly components["schemas"]["Figure"][];
        };
        /** @description A number that people look for by its name */
        readonly Figure: {
            readonly id: string;
            /** @description Display name */
            readonly label: string;
            readonly query_type: string;
            /** @description Its column */
            readonly measure: string;
            /**
             * @description How it is drawn over time
             * @enum {string}
             */
            readonly chart: "area" | "bars" | "line";
            /** @description Place in menus, over all metrics */
            readonly place: number;
            /** @description Further words of a search */
            readonly search: string;
            /** @description Its column in the summary; null if the summary does not have it */
            readonly headline: string | null;
            /** @description The question for it */
            readonly path: string;
            /** @description Parameters to add */
            readonly query: {
                readonly [key: string]: string;
            };
            /** @description True if it is the level of a day (`at`); otherwise it is that of a range */
            readonly is_level: boolean;
            /**
             * @description The parameter of its periods; null if it has none
             * @enum {string|null}
             */
            readonly step: "interval" | "granularity" | null;
            /** @description The question for the number without groups; null if there is none */
            readonly alone: string | null;
            /** @description True if the measure needs no exchange rate, although other measures of the query do */
            readonly is_counted: boolean;
            /** @description The rows behind it, at `/api/metrics/{metric}/rows` */
            readonly rows: {
                /** @description Parameters to add */
                readonly query: {
                    readonly [key: string]: string;
                };
                /** @description The measures to choose from */
                readonly measures: readonly string[];
                readonly note: string | null;
            };
        };
        /** @description The values that a filter on a field may name */
        readonly FieldValues: {
            /** @description In ascending order, at most 1,000. Fixed values keep their usual order */
            readonly values: readonly string[];
            /** @description The number of values that contain the search. null: the values of this field are not listed */
            readonly count: number | null;
        };
        /** @description A definition set */
        readonly Definitions: {
            /** @description Name of the set */
            readonly name: string;
            readonly description: string;
            /** @description Version of Plumbline */
            readonly version: string;
            /** @description `x-definitions` of answers under this set */
            readonly hash: string;
            /** @description Every option with its value in this set */
            readonly options: readonly {
                readonly key: string;
                readonly value: string | number | boolean;
                readonly default: string | number | boolean | null;
                /** @description The values of an option that has few; else null */
                readonly choices: readonly (string | number | boolean)[] | null;
                readonly description: string;
            }[];
            /** @description Names of all sets */
            readonly sets: readonly string[];
        };
        /** @description A figure under two definition sets, and what each option contributes to the difference */
        readonly Bridge: {
            /** @description Field of the figure, as lists of the metric name it */
            readonly measure: string;
            readonly from: {
                /** @description Name of the first definition set */
                readonly definitions: string;
                /** @description The figure under it */
                readonly value: number | null;
            };
            readonly to: {
                /** @description Name of the second definition set */
                readonly definitions: string;
                /** @description The figure under it */
                readonly value: number | null;
            };
            /** @description The options that differ, one after the other in a fixed order */
            readonly steps: readonly {
                /** @description Option of the definitions */
                readonly option: string;
                /** @description Its value in the first set */
                readonly from: string;
                /** @description Its value in the second set */
                readonly to: string;
                /** @description The figure after this step */
                readonly value: number | null;
                /** @description The figure after this step less the figure before it; null if either is null */
                readonly difference: number | null;
            }[];
            /** @description The difference between both ends that the steps do not explain: always 0; null if a figure is null */
            readonly residual: number | null;
        };
        /** @description Headline figures */
        readonly Summary: {
            /** @description MRR at the end of `as_of`, in cents */
            readonly mrr: number | null;
            /** @description 12 times MRR, in cents */
            readonly arr: number | null;
            /** @description MRR per paying customer in cents; null if there are none */
            readonly arpu: number | null;
            /** @description Customers with MRR above 0 */
            readonly active_customers: number | null;
            /** @description Subscriptions with MRR above 0 */
            readonly active_subscriptions: number | null;
            /** @description Net revenue retention over the year window */
            readonly nrr_12_months: number | null;
            /** @description Gross revenue retention over the year window */
            readonly grr_12_months: number | null;
            /** @description Net movement of MRR in the month window, in cents */
            readonly net_new_mrr_so_far: number | null;
            /** @description Net movement of MRR in the rate window, in cents */
            readonly net_new_mrr: number | null;
            /** @description Share of the customers live just before the rate window that churned in it */
            readonly logo_churn_rate: number | null;
            /** @description MRR lost by churn in the rate window, as a share of the MRR just before it */
            readonly revenue_churn_rate: number | null;
            /** @description Net revenue retention over the rate window */
            readonly nrr: number | null;
            /** @description Gross revenue retention over the rate window */
            readonly grr: number | null;
            /** @description ARPU divided by the mean monthly logo churn rate of the trailing window, in cents */
            readonly ltv: number | null;
            /** @description Share of the trials begun in the trailing window that converted */
            readonly trial_conversion_rate: number | null;
            /** @description MRR won divided by MRR lost in the trailing window */
            readonly quick_ratio: number | null;
            /** @description 1 - cogs / paid invoices of the trailing window; null without expenses or revenue */
            readonly gross_margin: number | null;
            /** @description 1 - (cogs + expense) / paid invoices of the trailing window; null without expenses or revenue */
            readonly operating_margin: number | null;
            /** @description With `forecast`: MRR of the subscriptions in a trial, when they become active as scheduled, in cents */
            readonly mrr_in_trial?: number | null;
            /** @description With `forecast`: MRR of the subscriptions whose end is scheduled, in cents */
            readonly mrr_scheduled_to_cancel?: number | null;
            /**
             * Format: date
             * @description Day of the levels
             */
            readonly as_of: string;
            /** @description Days of `nrr_12_months` and `grr_12_months` */
            readonly year_window: {
                /**
                 * Format: date
                 * @description First day
                 */
                readonly start: string;
                /**
                 * Format: date
                 * @description Last day
                 */
                readonly end: string;
            };
            /** @description Days of `net_new_mrr_so_far` */
            readonly month_window: {
                /**
                 * Format: date
                 * @description First day
                 */
                readonly start: string;
                /**
                 * Format: date
                 * @description Last day
                 */
                readonly end: string;
            };
            /** @description Days of net new MRR, churn and retention */
            readonly rate_window: {
                /**
                 * Format: date
                 * @description First day
                 */
                readonly start: string;
                /**
                 * Format: date
                 * @description Last day
                 */
                readonly end: string;
            };
            /** @description Days of LTV, trial conversion, quick ratio and margins */
            readonly trailing_window: {
                /**
                 * Format: date
                 * @description First day
                 */
                readonly start: string;
                /**
                 * Format: date
                 * @description Last day
                 */
                readonly end: string;
            };
            /**
             * Format: date-time
             * @description Instant up to which the figures are complete; null if the lag of a replica is unknown
             */
            readonly data_through: string | null;
            /** @description Currency of the amounts */
            readonly base_currency: string;
            /** @description Figures that the connector cannot supply */
            readonly unsupported: readonly string[];
        };
        /** @description The headline metrics with `compare_to` */
        readonly ComparedSummary: {
            /** @description MRR at the end of `as_of`, in cents */
            readonly mrr: number | null;
            /** @description With `compare_to`: `mrr` of the comparison time */
            readonly previous_mrr?: number | null;
            /** @description With `compare_to`: `mrr` minus `previous_mrr` */
            readonly change_mrr?: number | null;
            /** @description 12 times MRR, in cents */
            readonly arr: number | null;
            /** @description With `compare_to`: `arr` of the comparison time */
            readonly previous_arr?: number | null;
            /** @description With `compare_to`: `arr` minus `previous_arr` */
            readonly change_arr?: number | null;
            /** @description MRR per paying customer in cents; null if there are none */
            readonly arpu: number | null;
            /** @description With `compare_to`: `arpu` of the comparison time */
            readonly previous_arpu?: number | null;
            /** @description With `compare_to`: `arpu` minus `previous_arpu` */
            readonly change_arpu?: number | null;
            /** @description Customers with MRR above 0 */
            readonly active_customers: number | null;
            /** @description With `compare_to`: `active_customers` of the comparison time */
            readonly previous_active_customers?: number | null;
            /** @description With `compare_to`: `active_customers` minus `previous_active_customers` */
            readonly change_active_customers?: number | null;
            /** @description Subscriptions with MRR above 0 */
            readonly active_subscriptions: number | null;
            /** @description With `compare_to`: `active_subscriptions` of the comparison time */
            readonly previous_active_subscriptions?: number | null;
            /** @description With `compare_to`: `active_subscriptions` minus `previous_active_subscriptions` */
            readonly change_active_subscriptions?: number | null;
            /** @description Net revenue retention over the year window */
            readonly nrr_12_months: number | null;
            /** @description With `compare_to`: `nrr_12_months` of the comparison time */
            readonly previous_nrr_12_months?: number | null;
            /** @description With `compare_to`: `nrr_12_months` minus `previous_nrr_12_months` */
            readonly change_nrr_12_months?: number | null;
            /** @description Gross revenue retention over the year window */
            readonly grr_12_months: number | null;
            /** @description With `compare_to`: `grr_12_months` of the comparison time */
            readonly previous_grr_12_months?: number | null;
            /** @description With `compare_to`: `grr_12_months` minus `previous_grr_12_months` */
            readonly change_grr_12_months?: number | null;
            /** @description Net movement of MRR in the month window, in cents */
            readonly net_new_mrr_so_far: number | null;
            /** @description With `compare_to`: `net_new_mrr_so_far` of the comparison time */
            readonly previous_net_new_mrr_so_far?: number | null;
            /** @description With `compare_to`: `net_new_mrr_so_far` minus `previous_net_new_mrr_so_far` */
            readonly change_net_new_mrr_so_far?: number | null;
            /** @description Net movement of MRR in the rate window, in cents */
            readonly net_new_mrr: number | null;
            /** @description With `compare_to`: `net_new_mrr` of the comparison time */
            readonly previous_net_new_mrr?: number | null;
            /** @description With `compare_to`: `net_new_mrr` minus `previous_net_new_mrr` */
            readonly change_net_new_mrr?: number | null;
            /** @description Share of the customers live just before the rate window that churned in it */
            readonly logo_churn_rate: number | null;
            /** @description With `compare_to`: `logo_churn_rate` of the comparison time */
            readonly previous_logo_churn_rate?: number | null;
            /** @description With `compare_to`: `logo_churn_rate` minus `previous_logo_churn_rate` */
            readonly change_logo_churn_rate?: number | null;
            /** @description MRR lost by churn in the rate window, as a share of the MRR just before it */
            readonly revenue_churn_rate: number | null;
            /** @description With `compare_to`: `revenue_churn_rate` of the comparison time */
            readonly previous_revenue_churn_rate?: number | null;
            /** @description With `compare_to`: `revenue_churn_rate` minus `previous_revenue_churn_rate` */
            readonly change_revenue_churn_rate?: number | null;
            /** @description Net revenue retention over the rate window */
            readonly nrr: number | null;
            /** @description With `compare_to`: `nrr` of the comparison time */
            readonly previous_nrr?: number | null;
            /** @description With `compare_to`: `nrr` minus `previous_nrr` */
            readonly change_nrr?: number | null;
            /** @description Gross revenue retention over the rate window */
            readonly grr: number | null;
            /** @description With `compare_to`: `grr` of the comparison time */
            readonly previous_grr?: number | null;
            /** @description With `compare_to`: `grr` minus `previous_grr` */
            readonly change_grr?: number | null;
            /** @description ARPU divided by the mean monthly logo churn rate of the trailing window, in cents */
            readonly ltv: number | null;
            /** @description With `compare_to`: `ltv` of the comparison time */
            readonly previous_ltv?: number | null;
            /** @description With `compare_to`: `ltv` minus `previous_ltv` */
            readonly change_ltv?: number | null;
            /** @description Share of the trials begun in the trailing window that converted */
            readonly trial_conversion_rate: number | null;
            /** @description With `compare_to`: `trial_conversion_rate` of the comparison time */
            readonly previous_trial_conversion_rate?: number | null;
            /** @description With `compare_to`: `trial_conversion_rate` minus `previous_trial_conversion_rate` */
            readonly change_trial_conversion_rate?: number | null;
            /** @description MRR won divided by MRR lost in the trailing window */
            readonly quick_ratio: number | null;
            /** @description With `compare_to`: `quick_ratio` of the comparison time */
            readonly previous_quick_ratio?: number | null;
            /** @description With `compare_to`: `quick_ratio` minus `previous_quick_ratio` */
            readonly change_quick_ratio?: number | null;
            /** @description 1 - cogs / paid invoices of the trailing window; null without expenses or revenue */
            readonly gross_margin: number | null;
            /** @description With `compare_to`: `gross_margin` of the comparison time */
            readonly previous_gross_margin?: number | null;
            /** @description With `compare_to`: `gross_margin` minus `previous_gross_margin` */
            readonly change_gross_margin?: number | null;
            /** @description 1 - (cogs + expense) / paid invoices of the trailing window; null without expenses or revenue */
            readonly operating_margin: number | null;
            /** @description With `compare_to`: `operating_margin` of the comparison time */
            readonly previous_operating_margin?: number | null;
            /** @description With `compare_to`: `operating_margin` minus `previous_operating_margin` */
            readonly change_operating_margin?: number | null;
            /** @description With `forecast`: MRR of the subscriptions in a trial, when they become active as scheduled, in cents */
            readonly mrr_in_trial?: number | null;
            /** @description With `compare_to`: `mrr_in_trial` of the comparison time */
            readonly previous_mrr_in_trial?: number | null;
            /** @description With `compare_to`: `mrr_in_trial` minus `previous_mrr_in_trial` */
            readonly change_mrr_in_trial?: number | null;
            /** @description With `forecast`: MRR of the subscriptions whose end is scheduled, in cents */
            readonly mrr_scheduled_to_cancel?: number | null;
            /** @description With `compare_to`: `mrr_scheduled_to_cancel` of the comparison time */
            readonly previous_mrr_scheduled_to_cancel?: number | null;
            /** @description With `compare_to`: `mrr_scheduled_to_cancel` minus `previous_mrr_scheduled_to_cancel` */
            readonly change_mrr_scheduled_to_cancel?: number | null;
            /**
             * Format: date
             * @description Day of the levels
             */
            readonly as_of: string;
            /** @description Days of `nrr_12_months` and `grr_12_months` */
            readonly year_window: {
                /**
                 * Format: date
                 * @description First day
                 */
                readonly start: string;
                /**
                 * Format: date
                 * @description Last day
                 */
                readonly end: string;
            };
            /** @description Days of `net_new_mrr_so_far` */
            readonly month_window: {
                /**
                 * Format: date
                 * @description First day
                 */
                readonly start: string;
                /**
                 * Format: date
                 * @description Last day
                 */
                readonly end: string;
            };
            /** @description Days of net new MRR, churn and retention */
            readonly rate_window: {
                /**
                 * Format: date
                 * @description First day
                 */
                readonly start: string;
                /**
                 * Format: date
                 * @description Last day
                 */
                readonly end: string;
            };
            /** @description Days of LTV, trial conversion, quick ratio and margins */
            readonly trailing_window: {
                /**
                 * Format: date
                 * @description First day
                 */
                readonly start: string;
                /**
                 * Format: date
                 * @description Last day
                 */
                readonly end: string;
            };
            /**
             * Format: date-time
             * @description Instant up to which the figures are complete; null if the lag of a replica is unknown
             */
            readonly data_through: string | null;
            /** @description Currency of the amounts */
            readonly base_currency: string;
            /** @description Figures that the connector cannot supply */
            readonly unsupported: readonly string[];
        };
        /** @description The headline metrics of one compared segment */
        readonly SegmentSummary: {
            /** @description Id of the segment */
            readonly segment_id: string;
            /** @description Name of the segment */
            readonly segment_name: string;
            /** @description MRR at the end of `as_of`, in cents */
            readonly mrr: number | null;
            /** @description 12 times MRR, in cents */
            readonly arr: number | null;
            /** @description MRR per paying customer in cents; null if there are none */
            readonly arpu: number | null;
            /** @description Customers with MRR above 0 */
            readonly active_customers: number | null;
            /** @description Subscriptions with MRR above 0 */
            readonly active_subscriptions: number | null;
            /** @description Net revenue retention over the year window */
            readonly nrr_12_months: number | null;
            /** @description Gross revenue retention over the year window */
            readonly grr_12_months: number | null;
            /** @description Net movement of MRR in the month window, in cents */
            readonly net_new_mrr_so_far: number | null;
            /** @description Net movement of MRR in the rate window, in cents */
            readonly net_new_mrr: number | null;
            /** @description Share of the customers live just before the rate window that churned in it */
            readonly logo_churn_rate: number | null;
            /** @description MRR lost by churn in the rate window, as a share of the MRR just before it */
            readonly revenue_churn_rate: number | null;
            /** @description Net revenue retention over the rate window */
            readonly nrr: number | null;
            /** @description Gross revenue retention over the rate window */
            readonly grr: number | null;
            /** @description ARPU divided by the mean monthly logo churn rate of the trailing window, in cents */
            readonly ltv: number | null;
            /** @description Share of the trials begun in the trailing window that converted */
            readonly trial_conversion_rate: number | null;
            /** @description MRR won divided by MRR lost in the trailing window */
            readonly quick_ratio: number | null;
            /** @description 1 - cogs / paid invoices of the trailing window; null without expenses or revenue */
            readonly gross_margin: number | null;
            /** @description 1 - (cogs + expense) / paid invoices of the trailing window; null without expenses or revenue */
            readonly operating_margin: number | null;
            /** @description With `forecast`: MRR of the subscriptions in a trial, when they become active as scheduled, in cents */
            readonly mrr_in_trial?: number | null;
            /** @description With `forecast`: MRR of the subscriptions whose end is scheduled, in cents */
            readonly mrr_scheduled_to_cancel?: number | null;
            /**
             * Format: date
             * @description Day of the levels
             */
            readonly as_of: string;
            /** @description Days of `nrr_12_months` and `grr_12_months` */
            readonly year_window: {
                /**
                 * Format: date
                 * @description First day
                 */
                readonly start: string;
                /**
                 * Format: date
                 * @description Last day
                 */
                readonly end: string;
            };
            /** @description Days of `net_new_mrr_so_far` */
            readonly month_window: {
                /**
                 * Format: date
                 * @description First day
                 */
                readonly start: string;
                /**
                 * Format: date
                 * @description Last day
                 */
                readonly end: string;
            };
            /** @description Days of net new MRR, churn and retention */
            readonly rate_window: {
                /**
                 * Format: date
                 * @description First day
                 */
                readonly start: string;
                /**
                 * Format: date
                 * @description Last day
                 */
                readonly end: string;
            };
            /** @description Days of LTV, trial conversion, quick ratio and margins */
            readonly trailing_window: {
                /**
                 * Format: date
                 * @description First day
                 */
                readonly start: string;
                /**
                 * Format: date
                 * @description Last day
                 */
                readonly end: string;
            };
            /**
             * Format: date-time
             * @description Instant up to which the figures are complete; null if the lag of a replica is unknown
             */
            readonly data_through: string | null;
            /** @description Currency of the amounts */
            readonly base_currency: string;
            /** @description Figures that the connector cannot supply */
            readonly unsupported: readonly string[];
        };
        /** @description A figure with `compare_to` */
        readonly ComparedFigure: {
            readonly value: number | null;
            /** @description The figure of the comparison time */
            readonly previous: number | null;
            /** @description value - previous */
            readonly change: number | null;
            /** @description change / |previous|; absent if previous is 0 or null */
            readonly change_rate?: number;
        };
        readonly ChurnRow: components["schemas"]["ChurnDimensions"] & ({
            /** @description Id of the customer account. */
            readonly customer_id?: string | null;
            /** @description Name of the customer. Names can repeat, so group by customer_id to keep customers apart. */
            readonly customer_name?: string | null;
            /** @description Recorded reason of the cancellation; null for a pause, for an expiry and without a reason. */
            readonly cancel_reason?: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period?: string;
            /** @description Churned customers / customers live at the start; null if there were none */
            readonly logo_churn_rate: number | null;
            /** @description With `compare_to`: `logo_churn_rate` of the comparison time */
            readonly previous_logo_churn_rate?: number | null;
            /** @description With `compare_to`: `logo_churn_rate` minus `previous_logo_churn_rate` */
            readonly change_logo_churn_rate?: number | null;
            /** @description Customers live at the start that churned in the range */
            readonly churn_count: number;
            /** @description With `compare_to`: `churn_count` of the comparison time */
            readonly previous_churn_count?: number | null;
            /** @description With `compare_to`: `churn_count` minus `previous_churn_count` */
            readonly change_churn_count?: number | null;
            /** @description Customers live just before the start */
            readonly active_at_start: number;
            /** @description With `compare_to`: `active_at_start` of the comparison time */
            readonly previous_active_at_start?: number | null;
            /** @description With `compare_to`: `active_at_start` minus `previous_active_at_start` */
            readonly change_active_at_start?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        /** @description The dimensions that rows are grouped by. Each is present if the request asks for it. An attribute has the name `attr.X`. */
        readonly ChurnDimensions: {
            /** @description Id of the segment. Only with `compare_segments` */
            readonly segment_id?: string;
            /** @description Type of the connector. */
            readonly source?: string | null;
            /** @description Id of the tenant of the billing engine. It stays the same if the tenant gets another name. */
            readonly source_id?: string | null;
            /** @description Name of the tenant of the billing engine. */
            readonly tenant?: string | null;
            /** @description Currency of the subscription or payment. If you group by it, amounts are in that currency. If you filter by it, they stay in the base currency. */
            readonly currency?: string | null;
            /** @description Country of the customer. */
            readonly customer_country?: string | null;
            /**
             * Format: date
             * @description Month in which the customer was first live; null if it never was.
             */
            readonly cohort_month?: string | null;
            /**
             * Format: date
             * @description Month in which the account was created.
             */
            readonly customer_created_month?: string | null;
            /** @description Full months from the creation of the account to the date of the figure or event. */
            readonly tenure_months?: number | null;
            /** @description logo: the customer has no live subscription left. revenue: MRR was lost by a pause or an end. */
            readonly churn_type?: string | null;
            /** @description Id of the plan. Price overrides count under the plan they override. */
            readonly plan_id?: string | null;
            /** @description Display name of the plan, or its id if it has none. */
            readonly plan_name?: string | null;
            /** @description Unit of the billing period: day, week, month or year; null if there is none. */
            readonly plan_interval?: string | null;
            /** @description Billing period as the billing engine names it. */
            readonly billing_period?: string | null;
            /** @description Pricing model of the plan: flat or usage_based. */
            readonly pricing_model?: string | null;
            /** @description Usage type of the plan: licensed or metered. */
            readonly usage_type?: string | null;
            /** @description Product of the plan. */
            readonly product_name?: string | null;
            /** @description Product category as the billing engine names it. */
            readonly product_category?: string | null;
            /** @description Price list of the subscription. */
            readonly price_list?: string | null;
            /** @description manual if the account is exempt from automatic payment now; otherwise automatic. */
            readonly collection_method?: string | null;
            /** @description Bundle of the subscription. */
            readonly bundle_id?: string | null;
            /** @description Phase of the plan: trial, discount, fixedterm or evergreen. */
            readonly phase_type?: string | null;
            /** @description Component of MRR: subscription or usage. */
            readonly movement_source?: string | null;
        };
        readonly ChurnRevenueRow: components["schemas"]["ChurnDimensions"] & ({
            /** @description Id of the customer account. */
            readonly customer_id?: string | null;
            /** @description Name of the customer. Names can repeat, so group by customer_id to keep customers apart. */
            readonly customer_name?: string | null;
            /** @description Recorded reason of the cancellation; null for a pause, for an expiry and without a reason. */
            readonly cancel_reason?: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period?: string;
            /** @description MRR lost by churn / MRR at the start; null if that is 0 */
            readonly revenue_churn_rate: number | null;
            /** @description With `compare_to`: `revenue_churn_rate` of the comparison time */
            readonly previous_revenue_churn_rate?: number | null;
            /** @description With `compare_to`: `revenue_churn_rate` minus `previous_revenue_churn_rate` */
            readonly change_revenue_churn_rate?: number | null;
            /** @description MRR lost by churn, from customers with MRR at the start, in cents */
            readonly revenue_lost: number;
            /** @description With `compare_to`: `revenue_lost` of the comparison time */
            readonly previous_revenue_lost?: number | null;
            /** @description With `compare_to`: `revenue_lost` minus `previous_revenue_lost` */
            readonly change_revenue_lost?: number | null;
            /** @description MRR just before the start, in cents */
            readonly start_mrr: number;
            /** @description With `compare_to`: `start_mrr` of the comparison time */
            readonly previous_start_mrr?: number | null;
            /** @description With `compare_to`: `start_mrr` minus `previous_start_mrr` */
            readonly change_start_mrr?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly ChurnDetailRow: components["schemas"]["ChurnDimensions"] & ({
            /** @description Id of the customer; null if is_rest */
            readonly customer_id: string | null;
            /** @description Name of the customer */
            readonly customer_name: string | null;
            /** @description Recorded reason of that churn */
            readonly cancel_reason: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /** @description Live just before the start; true on every row; null if is_rest */
            readonly active_at_start: boolean | null;
            /** @description Churned and not live at the end of the range; null if is_rest */
            readonly fully_churned: boolean | null;
            /**
             * Format: date-time
             * @description First logo churn in the range
             */
            readonly churned_at: string | null;
            /** @description MRR lost by pauses and ends in the range, in base cents */
            readonly churned_mrr_cents: number;
            /** @description MRR just before the start, in base cents */
            readonly starting_mrr_cents: number;
        } & {
            readonly [key: string]: unknown;
        });
        readonly ChurnRevenueEventsRow: components["schemas"]["ChurnDimensions"] & ({
            /** @description Id of the customer; null if is_rest */
            readonly customer_id: string | null;
            /** @description Name of the customer */
            readonly customer_name: string | null;
            /** @description Recorded reason of the cancellation; null for a pause, for an expiry and without a reason. */
            readonly cancel_reason?: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /** @description MRR lost by churn, in base cents */
            readonly mrr_cents: number;
            /** @description With `compare_to`: `mrr_cents` of the comparison time */
            readonly previous_mrr_cents?: number | null;
            /** @description With `compare_to`: `mrr_cents` minus `previous_mrr_cents` */
            readonly change_mrr_cents?: number | null;
            /** @description Number of churn movements */
            readonly events: number;
            /** @description With `compare_to`: `events` of the comparison time */
            readonly previous_events?: number | null;
            /** @description With `compare_to`: `events` minus `previous_events` */
            readonly change_events?: number | null;
        } & {
            readonly [key: string]: unknown;
        });
        readonly Expenses: {
            /** @description Amount in cents of `currency`; only if you group by currency */
            readonly total_cents?: number;
            /** @description With `compare_to`: `total_cents` of the comparison time */
            readonly previous_total_cents?: number | null;
            /** @description With `compare_to`: `total_cents` minus `previous_total_cents` */
            readonly change_total_cents?: number | null;
            /** @description Total in cents of the base currency */
            readonly total_base_cents: number;
            /** @description With `compare_to`: `total_base_cents` of the comparison time */
            readonly previous_total_base_cents?: number | null;
            /** @description With `compare_to`: `total_base_cents` minus `previous_total_base_cents` */
            readonly change_total_base_cents?: number | null;
            /** @description Number of lines of bills and expenses */
            readonly line_count: number;
            /** @description With `compare_to`: `line_count` of the comparison time */
            readonly previous_line_count?: number | null;
            /** @description With `compare_to`: `line_count` minus `previous_line_count` */
            readonly change_line_count?: number | null;
        };
        readonly ExpensesRow: components["schemas"]["ExpensesDimensions"] & ({
            /** @description Type of the account: expense, cogs, income, asset, liability, equity or other; unknown if the line has no known account. */
            readonly account_type?: string | null;
            /** @description Id of the vendor in its books; null without a vendor. */
            readonly vendor_id?: string | null;
            /** @description Name of the vendor; its id if the books have no such vendor; (unassigned) without a vendor. */
            readonly vendor_name?: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /** @description Amount in cents of `currency`; only if you group by currency */
            readonly total_cents?: number;
            /** @description With `compare_to`: `total_cents` of the comparison time */
            readonly previous_total_cents?: number | null;
            /** @description With `compare_to`: `total_cents` minus `previous_total_cents` */
            readonly change_total_cents?: number | null;
            /** @description Total in cents of the base currency */
            readonly total_base_cents: number;
            /** @description With `compare_to`: `total_base_cents` of the comparison time */
            readonly previous_total_base_cents?: number | null;
            /** @description With `compare_to`: `total_base_cents` minus `previous_total_base_cents` */
            readonly change_total_base_cents?: number | null;
            /** @description Number of lines of bills and expenses */
            readonly line_count: number;
            /** @description With `compare_to`: `line_count` of the comparison time */
            readonly previous_line_count?: number | null;
            /** @description With `compare_to`: `line_count` minus `previous_line_count` */
            readonly change_line_count?: number | null;
        } & {
            readonly [key: string]: unknown;
        });
        /** @description The dimensions that rows are grouped by. Each is present if the request asks for it. An attribute has the name `attr.X`. */
        readonly ExpensesDimensions: {
            /** @description Id of the segment. Only with `compare_segments` */
            readonly segment_id?: string;
            /** @description Type of the connection that supplies the books; csv for imported files. */
            readonly source?: string | null;
            /** @description Id of the connection, or the name under which files were imported. */
            readonly source_id?: string | null;
            /** @description Currency of the bill or expense. If you group by it, rows also have the amounts in that currency. Base amounts do not change. */
            readonly currency?: string | null;
            /** @description Class of the line. */
            readonly class?: string | null;
            /** @description Department of the document. */
            readonly department?: string | null;
            /** @description Project or customer for which the line was bought. */
            readonly project?: string | null;
        };
        readonly ExpensesByAccountTypeRow: components["schemas"]["ExpensesDimensions"] & ({
            /** @description Type of the account: expense, cogs, income, asset, liability, equity or other; unknown if the line has no known account.; null if is_rest */
            readonly account_type: string | null;
            /** @description Id of the vendor in its books; null without a vendor. */
            readonly vendor_id?: string | null;
            /** @description Name of the vendor; its id if the books have no such vendor; (unassigned) without a vendor. */
            readonly vendor_name?: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /** @description Amount in cents of `currency`; only if you group by currency */
            readonly amount_cents?: number;
            /** @description With `compare_to`: `amount_cents` of the comparison time */
            readonly previous_amount_cents?: number | null;
            /** @description With `compare_to`: `amount_cents` minus `previous_amount_cents` */
            readonly change_amount_cents?: number | null;
            /** @description Amount in cents of the base currency */
            readonly amount_base_cents: number;
            /** @description With `compare_to`: `amount_base_cents` of the comparison time */
            readonly previous_amount_base_cents?: number | null;
            /** @description With `compare_to`: `amount_base_cents` minus `previous_amount_base_cents` */
            readonly change_amount_base_cents?: number | null;
            /** @description Number of lines of bills and expenses */
            readonly line_count: number;
            /** @description With `compare_to`: `line_count` of the comparison time */
            readonly previous_line_count?: number | null;
            /** @description With `compare_to`: `line_count` minus `previous_line_count` */
            readonly change_line_count?: number | null;
        } & {
            readonly [key: string]: unknown;
        });
        readonly ExpensesByVendorRow: components["schemas"]["ExpensesDimensions"] & ({
            /** @description Type of the account: expense, cogs, income, asset, liability, equity or other; unknown if the line has no known account. */
            readonly account_type?: string | null;
            /** @description Id of the vendor in its books; null without a vendor */
            readonly vendor_id: string | null;
            /** @description Name of the vendor; (unassigned) without one; null if is_rest */
            readonly vendor_name: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /** @description Amount in cents of `currency`; only if you group by currency */
            readonly amount_cents?: number;
            /** @description With `compare_to`: `amount_cents` of the comparison time */
            readonly previous_amount_cents?: number | null;
            /** @description With `compare_to`: `amount_cents` minus `previous_amount_cents` */
            readonly change_amount_cents?: number | null;
            /** @description Amount in cents of the base currency */
            readonly amount_base_cents: number;
            /** @description With `compare_to`: `amount_base_cents` of the comparison time */
            readonly previous_amount_base_cents?: number | null;
            /** @description With `compare_to`: `amount_base_cents` minus `previous_amount_base_cents` */
            readonly change_amount_base_cents?: number | null;
            /** @description Number of lines of bills and expenses */
            readonly line_count: number;
            /** @description With `compare_to`: `line_count` of the comparison time */
            readonly previous_line_count?: number | null;
            /** @description With `compare_to`: `line_count` minus `previous_line_count` */
            readonly change_line_count?: number | null;
        } & {
            readonly [key: string]: unknown;
        });
        readonly ExpensesSeriesRow: components["schemas"]["ExpensesDimensions"] & ({
            /** @description Type of the account: expense, cogs, income, asset, liability, equity or other; unknown if the line has no known account. */
            readonly account_type: string;
            /** @description Id of the vendor in its books; null without a vendor. */
            readonly vendor_id?: string | null;
            /** @description Name of the vendor; its id if the books have no such vendor; (unassigned) without a vendor. */
            readonly vendor_name?: string | null;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period: string;
            /** @description Amount in cents of `currency`; only if you group by currency */
            readonly amount_cents?: number;
            /** @description With `compare_to`: `amount_cents` of the comparison time */
            readonly previous_amount_cents?: number | null;
            /** @description With `compare_to`: `amount_cents` minus `previous_amount_cents` */
            readonly change_amount_cents?: number | null;
            /** @description Amount in cents of the base currency */
            readonly amount_base_cents: number;
            /** @description With `compare_to`: `amount_base_cents` of the comparison time */
            readonly previous_amount_base_cents?: number | null;
            /** @description With `compare_to`: `amount_base_cents` minus `previous_amount_base_cents` */
            readonly change_amount_base_cents?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly InvoluntaryChurnRow: components["schemas"]["InvoluntaryChurnDimensions"] & ({
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period?: string;
            /** @description Churned customers that did not pay / churned customers; null if none churned */
            readonly involuntary_share: number | null;
            /** @description With `compare_to`: `involuntary_share` of the comparison time */
            readonly previous_involuntary_share?: number | null;
            /** @description With `compare_to`: `involuntary_share` minus `previous_involuntary_share` */
            readonly change_involuntary_share?: number | null;
            /** @description Churned customers that were overdue, or whose last payment had failed */
            readonly involuntary_count: number;
            /** @description With `compare_to`: `involuntary_count` of the comparison time */
            readonly previous_involuntary_count?: number | null;
            /** @description With `compare_to`: `involuntary_count` minus `previous_involuntary_count` */
            readonly change_involuntary_count?: number | null;
            /** @description Customers live at the start that churned in the range */
            readonly churn_count: number;
            /** @description With `compare_to`: `churn_count` of the comparison time */
            readonly previous_churn_count?: number | null;
            /** @description With `compare_to`: `churn_count` minus `previous_churn_count` */
            readonly change_churn_count?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        /** @description The dimensions that rows are grouped by. Each is present if the request asks for it. An attribute has the name `attr.X`. */
        readonly InvoluntaryChurnDimensions: {
            /** @description Id of the segment. Only with `compare_segments` */
            readonly segment_id?: string;
            /** @description Type of the connector. */
            readonly source?: string | null;
            /** @description Id of the tenant of the billing engine. It stays the same if the tenant gets another name. */
            readonly source_id?: string | null;
            /** @description Name of the tenant of the billing engine. */
            readonly tenant?: string | null;
            /** @description Id of the customer account. */
            readonly customer_id?: string | null;
            /** @description Name of the customer. Names can repeat, so group by customer_id to keep customers apart. */
            readonly customer_name?: string | null;
            /** @description Country of the customer. */
            readonly customer_country?: string | null;
            /**
             * Format: date
             * @description Month in which the customer was first live; null if it never was.
             */
            readonly cohort_month?: string | null;
            /**
             * Format: date
             * @description Month in which the account was created.
             */
            readonly customer_created_month?: string | null;
            /** @description Full months from the creation of the account to the date of the figure or event. */
            readonly tenure_months?: number | null;
            /** @description Currency of the subscription or payment. If you group by it, amounts are in that currency. If you filter by it, they stay in the base currency. */
            readonly currency?: string | null;
            /** @description Id of the plan. Price overrides count under the plan they override. */
            readonly plan_id?: string | null;
            /** @description Display name of the plan, or its id if it has none. */
            readonly plan_name?: string | null;
            /** @description Unit of the billing period: day, week, month or year; null if there is none. */
            readonly plan_interval?: string | null;
            /** @description Billing period as the billing engine names it. */
            readonly billing_period?: string | null;
            /** @description Pricing model of the plan: flat or usage_based. */
            readonly pricing_model?: string | null;
            /** @description Usage type of the plan: licensed or metered. */
            readonly usage_type?: string | null;
            /** @description Product of the plan. */
            readonly product_name?: string | null;
            /** @description Product category as the billing engine names it. */
            readonly product_category?: string | null;
            /** @description Price list of the subscription. */
            readonly price_list?: string | null;
            /** @description manual if the account is exempt from automatic payment now; otherwise automatic. */
            readonly collection_method?: string | null;
            /** @description Bundle of the subscription. */
            readonly bundle_id?: string | null;
            /** @description Phase of the plan: trial, discount, fixedterm or evergreen. */
            readonly phase_type?: string | null;
        };
        readonly InvoluntaryChurnRevenueRow: components["schemas"]["InvoluntaryChurnDimensions"] & ({
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period?: string;
            /** @description Lost MRR of customers that did not pay / lost MRR; null if nothing was lost */
            readonly involuntary_mrr_share: number | null;
            /** @description With `compare_to`: `involuntary_mrr_share` of the comparison time */
            readonly previous_involuntary_mrr_share?: number | null;
            /** @description With `compare_to`: `involuntary_mrr_share` minus `previous_involuntary_mrr_share` */
            readonly change_involuntary_mrr_share?: number | null;
            /** @description Lost MRR of customers that were overdue, or whose last payment had failed */
            readonly involuntary_lost: number;
            /** @description With `compare_to`: `involuntary_lost` of the comparison time */
            readonly previous_involuntary_lost?: number | null;
            /** @description With `compare_to`: `involuntary_lost` minus `previous_involuntary_lost` */
            readonly change_involuntary_lost?: number | null;
            /** @description MRR lost by churn, from customers with MRR at the start */
            readonly revenue_lost: number;
            /** @description With `compare_to`: `revenue_lost` of the comparison time */
            readonly previous_revenue_lost?: number | null;
            /** @description With `compare_to`: `revenue_lost` minus `previous_revenue_lost` */
            readonly change_revenue_lost?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LedgerRow: components["schemas"]["LedgerDimensions"] & ({
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period: string;
            /** @description Deferred revenue before the period */
            readonly opening_deferred: number;
            /** @description With `compare_to`: `opening_deferred` of the comparison time */
            readonly previous_opening_deferred?: number | null;
            /** @description With `compare_to`: `opening_deferred` minus `previous_opening_deferred` */
            readonly change_opening_deferred?: number | null;
            /** @description Charges posted in the period, less those that left by a void */
            readonly billed: number;
            /** @description With `compare_to`: `billed` of the comparison time */
            readonly previous_billed?: number | null;
            /** @description With `compare_to`: `billed` minus `previous_billed` */
            readonly change_billed?: number | null;
            /** @description Adjustments posted in the period, less those that left by a void */
            readonly adjusted: number;
            /** @description With `compare_to`: `adjusted` of the comparison time */
            readonly previous_adjusted?: number | null;
            /** @description With `compare_to`: `adjusted` minus `previous_adjusted` */
            readonly change_adjusted?: number | null;
            /** @description Recognized revenue */
            readonly recognized: number;
            /** @description With `compare_to`: `recognized` of the comparison time */
            readonly previous_recognized?: number | null;
            /** @description With `compare_to`: `recognized` minus `previous_recognized` */
            readonly change_recognized?: number | null;
            /** @description Part of recognized revenue for service days before the period */
            readonly catch_up: number;
            /** @description With `compare_to`: `catch_up` of the comparison time */
            readonly previous_catch_up?: number | null;
            /** @description With `compare_to`: `catch_up` minus `previous_catch_up` */
            readonly change_catch_up?: number | null;
            /** @description Part of catch_up that the month before did not know when `ledger.close_days` closed it; 0 without that setting or with `known_at` */
            readonly late: number;
            /** @description With `compare_to`: `late` of the comparison time */
            readonly previous_late?: number | null;
            /** @description With `compare_to`: `late` minus `previous_late` */
            readonly change_late?: number | null;
            /** @description Recognized amounts of the kinds of charges that `revenue_kinds` does not name; 0 if all are revenue */
            readonly other_income: number;
            /** @description With `compare_to`: `other_income` of the comparison time */
            readonly previous_other_income?: number | null;
            /** @description With `compare_to`: `other_income` minus `previous_other_income` */
            readonly change_other_income?: number | null;
            /** @description Recognized and not yet billed before the period */
            readonly opening_unbilled: number;
            /** @description With `compare_to`: `opening_unbilled` of the comparison time */
            readonly previous_opening_unbilled?: number | null;
            /** @description With `compare_to`: `opening_unbilled` minus `previous_opening_unbilled` */
            readonly change_opening_unbilled?: number | null;
            /** @description Recognized and not yet billed at the end of the period */
            readonly closing_unbilled: number;
            /** @description With `compare_to`: `closing_unbilled` of the comparison time */
            readonly previous_closing_unbilled?: number | null;
            /** @description With `compare_to`: `closing_unbilled` minus `previous_closing_unbilled` */
            readonly change_closing_unbilled?: number | null;
            /** @description Deferred revenue at the end of the period */
            readonly closing_deferred: number;
            /** @description With `compare_to`: `closing_deferred` of the comparison time */
            readonly previous_closing_deferred?: number | null;
            /** @description With `compare_to`: `closing_deferred` minus `previous_closing_deferred` */
            readonly change_closing_deferred?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        /** @description The dimensions that rows are grouped by. Each is present if the request asks for it. An attribute has the name `attr.X`. */
        readonly LedgerDimensions: {
            /** @description Id of the segment. Only with `compare_segments` */
            readonly segment_id?: string;
            /** @description Type of the connector. */
            readonly source?: string | null;
            /** @description Id of the tenant of the billing engine. It stays the same if the tenant gets another name. */
            readonly source_id?: string | null;
            /** @description Name of the tenant of the billing engine. */
            readonly tenant?: string | null;
            /** @description Currency of the subscription or payment. If you group by it, amounts are in that currency. If you filter by it, they stay in the base currency. */
            readonly currency?: string | null;
            /** @description Id of the customer account. */
            readonly customer_id?: string | null;
            /** @description Name of the customer. Names can repeat, so group by customer_id to keep customers apart. */
            readonly customer_name?: string | null;
            /** @description Country of the customer. */
            readonly customer_country?: string | null;
            /**
             * Format: date
             * @description Month in which the account was created.
             */
            readonly customer_created_month?: string | null;
            /** @description manual if the account is exempt from automatic payment now; otherwise automatic. */
            readonly collection_method?: string | null;
            /** @description Kind of the charge: recurring, usage, fixed or one_off. */
            readonly charge_kind?: string | null;
            /** @description Plan as the charge names it; null for a charge without one. */
            readonly plan?: string | null;
            /** @description Subscription of the charge; null for a charge without one. */
            readonly subscription_id?: string | null;
            /** @description Bundle of the subscription. */
            readonly bundle_id?: string | null;
            /** @description Invoice of the charge. */
            readonly invoice_id?: string | null;
            /** @description Code of the payment provider for a failed attempt; null for others and if it is not known. */
            readonly gateway_error?: string | null;
            /** @description How the attempt was paid, as the billing engine names it; null if it is not known. */
            readonly payment_method?: string | null;
            /** @description Why nobody tried to collect an invoice: auto_pay_off or no_payment_method, as of now; null otherwise. */
            readonly obstacle?: string | null;
        };
        readonly LedgerRecognizedRow: components["schemas"]["LedgerDimensions"] & ({
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period?: string;
            /** @description Recognized revenue */
            readonly recognized: number;
            /** @description With `compare_to`: `recognized` of the comparison time */
            readonly previous_recognized?: number | null;
            /** @description With `compare_to`: `recognized` minus `previous_recognized` */
            readonly change_recognized?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LedgerDeferredRow: components["schemas"]["LedgerDimensions"] & ({
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /** @description First day of the month of recognition; `later` for all after 24 months; null if is_rest */
            readonly recognized_month: string | null;
            /** @description Deferred revenue that becomes revenue in the month */
            readonly deferred: number;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LedgerWaterfallRow: components["schemas"]["LedgerDimensions"] & ({
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description Month in which the charges were posted; null if they are posted after the range
             */
            readonly booked_month: string | null;
            /**
             * Format: date
             * @description Month of recognition; null if is_rest
             */
            readonly recognized_month: string | null;
            /** @description Recognized revenue */
            readonly recognized: number;
            /** @description Charges of the month of posting */
            readonly booked: number;
            /** @description What adjustments and voids changed up to the end of the range */
            readonly adjusted: number;
            /** @description Deferred less unbilled at the end of the range */
            readonly remaining: number;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LedgerReceivablesPoint: components["schemas"]["LedgerDimensions"] & ({
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period?: string;
            /** @description Days past due: current, 1-30, 31-60, 61-90 or over-90; null if is_rest */
            readonly age: string | null;
            /** @description Open invoices */
            readonly invoices: number;
            /** @description With `compare_to`: `invoices` of the comparison time */
            readonly previous_invoices?: number | null;
            /** @description With `compare_to`: `invoices` minus `previous_invoices` */
            readonly change_invoices?: number | null;
            /** @description Open balance */
            readonly balance: number;
            /** @description With `compare_to`: `balance` of the comparison time */
            readonly previous_balance?: number | null;
            /** @description With `compare_to`: `balance` minus `previous_balance` */
            readonly change_balance?: number | null;
            /** @description Part of the balance that refunds and chargebacks opened again */
            readonly reopened: number;
            /** @description With `compare_to`: `reopened` of the comparison time */
            readonly previous_reopened?: number | null;
            /** @description With `compare_to`: `reopened` minus `previous_reopened` */
            readonly change_reopened?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LedgerMovementsRow: components["schemas"]["LedgerDimensions"] & ({
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period: string;
            /** @description Receivables before the period */
            readonly opening_receivables: number;
            /** @description With `compare_to`: `opening_receivables` of the comparison time */
            readonly previous_opening_receivables?: number | null;
            /** @description With `compare_to`: `opening_receivables` minus `previous_opening_receivables` */
            readonly change_opening_receivables?: number | null;
            /** @description Charges */
            readonly billed: number;
            /** @description With `compare_to`: `billed` of the comparison time */
            readonly previous_billed?: number | null;
            /** @description With `compare_to`: `billed` minus `previous_billed` */
            readonly change_billed?: number | null;
            /** @description Adjustments */
            readonly adjusted: number;
            /** @description With `compare_to`: `adjusted` of the comparison time */
            readonly previous_adjusted?: number | null;
            /** @description With `compare_to`: `adjusted` minus `previous_adjusted` */
            readonly change_adjusted?: number | null;
            /** @description Tax */
            readonly tax: number;
            /** @description With `compare_to`: `tax` of the comparison time */
            readonly previous_tax?: number | null;
            /** @description With `compare_to`: `tax` minus `previous_tax` */
            readonly change_tax?: number | null;
            /** @description Credit granted, negative */
            readonly credits_granted: number;
            /** @description With `compare_to`: `credits_granted` of the comparison time */
            readonly previous_credits_granted?: number | null;
            /** @description With `compare_to`: `credits_granted` minus `previous_credits_granted` */
            readonly change_credits_granted?: number | null;
            /** @description Customer credit issued */
            readonly credits_issued: number;
            /** @description With `compare_to`: `credits_issued` of the comparison time */
            readonly previous_credits_issued?: number | null;
            /** @description With `compare_to`: `credits_issued` minus `previous_credits_issued` */
            readonly change_credits_issued?: number | null;
            /** @description Customer credit applied, negative */
            readonly credits_applied: number;
            /** @description With `compare_to`: `credits_applied` of the comparison time */
            readonly previous_credits_applied?: number | null;
            /** @description With `compare_to`: `credits_applied` minus `previous_credits_applied` */
            readonly change_credits_applied?: number | null;
            /** @description Balances that parent accounts took over; they add up to 0 over all customers */
            readonly transferred: number;
            /** @description With `compare_to`: `transferred` of the comparison time */
            readonly previous_transferred?: number | null;
            /** @description With `compare_to`: `transferred` minus `previous_transferred` */
            readonly change_transferred?: number | null;
            /** @description Balances that came from accounts that do not count */
            readonly suspense: number;
            /** @description With `compare_to`: `suspense` of the comparison time */
            readonly previous_suspense?: number | null;
            /** @description With `compare_to`: `suspense` minus `previous_suspense` */
            readonly change_suspense?: number | null;
            /** @description Payments */
            readonly collected: number;
            /** @description With `compare_to`: `collected` of the comparison time */
            readonly previous_collected?: number | null;
            /** @description With `compare_to`: `collected` minus `previous_collected` */
            readonly change_collected?: number | null;
            /** @description Refunds, negative */
            readonly refunded: number;
            /** @description With `compare_to`: `refunded` of the comparison time */
            readonly previous_refunded?: number | null;
            /** @description With `compare_to`: `refunded` minus `previous_refunded` */
            readonly change_refunded?: number | null;
            /** @description Chargebacks, negative */
            readonly charged_back: number;
            /** @description With `compare_to`: `charged_back` of the comparison time */
            readonly previous_charged_back?: number | null;
            /** @description With `compare_to`: `charged_back` minus `previous_charged_back` */
            readonly change_charged_back?: number | null;
            /** @description Change of bad debt */
            readonly written_off: number;
            /** @description With `compare_to`: `written_off` of the comparison time */
            readonly previous_written_off?: number | null;
            /** @description With `compare_to`: `written_off` minus `previous_written_off` */
            readonly change_written_off?: number | null;
            /** @description Difference of exchange rates between the valuation of balances and their postings; 0 in one currency */
            readonly fx_difference: number;
            /** @description With `compare_to`: `fx_difference` of the comparison time */
            readonly previous_fx_difference?: number | null;
            /** @description With `compare_to`: `fx_difference` minus `previous_fx_difference` */
            readonly change_fx_difference?: number | null;
            /** @description Receivables at the end of the period */
            readonly closing_receivables: number;
            /** @description With `compare_to`: `closing_receivables` of the comparison time */
            readonly previous_closing_receivables?: number | null;
            /** @description With `compare_to`: `closing_receivables` minus `previous_closing_receivables` */
            readonly change_closing_receivables?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LedgerCashRow: components["schemas"]["LedgerDimensions"] & ({
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period: string;
            /** @description Payments of invoices */
            readonly collected: number;
            /** @description With `compare_to`: `collected` of the comparison time */
            readonly previous_collected?: number | null;
            /** @description With `compare_to`: `collected` minus `previous_collected` */
            readonly change_collected?: number | null;
            /** @description Refunds, negative */
            readonly refunded: number;
            /** @description With `compare_to`: `refunded` of the comparison time */
            readonly previous_refunded?: number | null;
            /** @description With `compare_to`: `refunded` minus `previous_refunded` */
            readonly change_refunded?: number | null;
            /** @description Chargebacks, negative */
            readonly charged_back: number;
            /** @description With `compare_to`: `charged_back` of the comparison time */
            readonly previous_charged_back?: number | null;
            /** @description With `compare_to`: `charged_back` minus `previous_charged_back` */
            readonly change_charged_back?: number | null;
            /** @description Collected, refunded and charged back together */
            readonly net: number;
            /** @description With `compare_to`: `net` of the comparison time */
            readonly previous_net?: number | null;
            /** @description With `compare_to`: `net` minus `previous_net` */
            readonly change_net?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LedgerCreditsRow: components["schemas"]["LedgerDimensions"] & ({
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period: string;
            /** @description Customer credit before the period */
            readonly opening_credits: number;
            /** @description With `compare_to`: `opening_credits` of the comparison time */
            readonly previous_opening_credits?: number | null;
            /** @description With `compare_to`: `opening_credits` minus `previous_opening_credits` */
            readonly change_opening_credits?: number | null;
            /** @description Customer credit issued */
            readonly credits_issued: number;
            /** @description With `compare_to`: `credits_issued` of the comparison time */
            readonly previous_credits_issued?: number | null;
            /** @description With `compare_to`: `credits_issued` minus `previous_credits_issued` */
            readonly change_credits_issued?: number | null;
            /** @description Customer credit applied, negative */
            readonly credits_applied: number;
            /** @description With `compare_to`: `credits_applied` of the comparison time */
            readonly previous_credits_applied?: number | null;
            /** @description With `compare_to`: `credits_applied` minus `previous_credits_applied` */
            readonly change_credits_applied?: number | null;
            /** @description Customer credit at the end of the period */
            readonly closing_credits: number;
            /** @description With `compare_to`: `closing_credits` of the comparison time */
            readonly previous_closing_credits?: number | null;
            /** @description With `compare_to`: `closing_credits` minus `previous_closing_credits` */
            readonly change_closing_credits?: number | null;
            /** @description Credit granted, negative: it lowers revenue */
            readonly credits_granted: number;
            /** @description With `compare_to`: `credits_granted` of the comparison time */
            readonly previous_credits_granted?: number | null;
            /** @description With `compare_to`: `credits_granted` minus `previous_credits_granted` */
            readonly change_credits_granted?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LedgerTrialBalanceRow: components["schemas"]["LedgerDimensions"] & ({
            /**
             * @description Account
             * @enum {string}
             */
            readonly account: "accounts_receivable" | "unbilled_receivables" | "cash" | "bad_debt" | "credits_granted" | "deferred_revenue" | "revenue" | "other_income" | "tax_payable" | "customer_credits" | "suspense" | "retained_earnings" | "fx_difference";
            /** @description Debit balance */
            readonly debit: number;
            /** @description Credit balance */
            readonly credit: number;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LedgerMrrBridge: {
            /** @description MRR at the end of the month */
            readonly mrr: number;
            /** @description With `compare_to`: `mrr` of the comparison time */
            readonly previous_mrr?: number | null;
            /** @description With `compare_to`: `mrr` minus `previous_mrr` */
            readonly change_mrr?: number | null;
            /** @description Usage component of MRR, negative */
            readonly usage_component: number;
            /** @description With `compare_to`: `usage_component` of the comparison time */
            readonly previous_usage_component?: number | null;
            /** @description With `compare_to`: `usage_component` minus `previous_usage_component` */
            readonly change_usage_component?: number | null;
            /** @description Mean of the agreed amount over the days of the month, less that amount at its end */
            readonly movements: number;
            /** @description With `compare_to`: `movements` of the comparison time */
            readonly previous_movements?: number | null;
            /** @description With `compare_to`: `movements` minus `previous_movements` */
            readonly change_movements?: number | null;
            /** @description Mean of the billed amount over the days of the month, less that of the agreed one */
            readonly billed_otherwise: number;
            /** @description With `compare_to`: `billed_otherwise` of the comparison time */
            readonly previous_billed_otherwise?: number | null;
            /** @description With `compare_to`: `billed_otherwise` minus `previous_billed_otherwise` */
            readonly change_billed_otherwise?: number | null;
            /** @description Recurring revenue for service days of the month, at the rates of MRR, less the mean of the billed amount */
            readonly length_of_months: number;
            /** @description With `compare_to`: `length_of_months` of the comparison time */
            readonly previous_length_of_months?: number | null;
            /** @description With `compare_to`: `length_of_months` minus `previous_length_of_months` */
            readonly change_length_of_months?: number | null;
            /** @description Recurring revenue for service days before the month */
            readonly catch_up: number;
            /** @description With `compare_to`: `catch_up` of the comparison time */
            readonly previous_catch_up?: number | null;
            /** @description With `compare_to`: `catch_up` minus `previous_catch_up` */
            readonly change_catch_up?: number | null;
            /** @description Recognized usage */
            readonly usage: number;
            /** @description With `compare_to`: `usage` of the comparison time */
            readonly previous_usage?: number | null;
            /** @description With `compare_to`: `usage` minus `previous_usage` */
            readonly change_usage?: number | null;
            /** @description Recognized fixed prices and one-off charges */
            readonly fixed_and_one_off: number;
            /** @description With `compare_to`: `fixed_and_one_off` of the comparison time */
            readonly previous_fixed_and_one_off?: number | null;
            /** @description With `compare_to`: `fixed_and_one_off` minus `previous_fixed_and_one_off` */
            readonly change_fixed_and_one_off?: number | null;
            /** @description Recurring revenue for service days of the month, at the rates of its postings less that at the rates of MRR */
            readonly rates: number;
            /** @description With `compare_to`: `rates` of the comparison time */
            readonly previous_rates?: number | null;
            /** @description With `compare_to`: `rates` minus `previous_rates` */
            readonly change_rates?: number | null;
            /** @description Recognized amounts of the kinds of charges that `revenue_kinds` does not name, negative */
            readonly other_income: number;
            /** @description With `compare_to`: `other_income` of the comparison time */
            readonly previous_other_income?: number | null;
            /** @description With `compare_to`: `other_income` minus `previous_other_income` */
            readonly change_other_income?: number | null;
            /** @description Recognized revenue of the month: all steps together */
            readonly recognized: number;
            /** @description With `compare_to`: `recognized` of the comparison time */
            readonly previous_recognized?: number | null;
            /** @description With `compare_to`: `recognized` minus `previous_recognized` */
            readonly change_recognized?: number | null;
        };
        readonly LedgerMrrBridgeRow: components["schemas"]["LedgerDimensions"] & ({
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /** @description MRR at the end of the month */
            readonly mrr: number;
            /** @description With `compare_to`: `mrr` of the comparison time */
            readonly previous_mrr?: number | null;
            /** @description With `compare_to`: `mrr` minus `previous_mrr` */
            readonly change_mrr?: number | null;
            /** @description Usage component of MRR, negative */
            readonly usage_component: number;
            /** @description With `compare_to`: `usage_component` of the comparison time */
            readonly previous_usage_component?: number | null;
            /** @description With `compare_to`: `usage_component` minus `previous_usage_component` */
            readonly change_usage_component?: number | null;
            /** @description Mean of the agreed amount over the days of the month, less that amount at its end */
            readonly movements: number;
            /** @description With `compare_to`: `movements` of the comparison time */
            readonly previous_movements?: number | null;
            /** @description With `compare_to`: `movements` minus `previous_movements` */
            readonly change_movements?: number | null;
            /** @description Mean of the billed amount over the days of the month, less that of the agreed one */
            readonly billed_otherwise: number;
            /** @description With `compare_to`: `billed_otherwise` of the comparison time */
            readonly previous_billed_otherwise?: number | null;
            /** @description With `compare_to`: `billed_otherwise` minus `previous_billed_otherwise` */
            readonly change_billed_otherwise?: number | null;
            /** @description Recurring revenue for service days of the month, at the rates of MRR, less the mean of the billed amount */
            readonly length_of_months: number;
            /** @description With `compare_to`: `length_of_months` of the comparison time */
            readonly previous_length_of_months?: number | null;
            /** @description With `compare_to`: `length_of_months` minus `previous_length_of_months` */
            readonly change_length_of_months?: number | null;
            /** @description Recurring revenue for service days before the month */
            readonly catch_up: number;
            /** @description With `compare_to`: `catch_up` of the comparison time */
            readonly previous_catch_up?: number | null;
            /** @description With `compare_to`: `catch_up` minus `previous_catch_up` */
            readonly change_catch_up?: number | null;
            /** @description Recognized usage */
            readonly usage: number;
            /** @description With `compare_to`: `usage` of the comparison time */
            readonly previous_usage?: number | null;
            /** @description With `compare_to`: `usage` minus `previous_usage` */
            readonly change_usage?: number | null;
            /** @description Recognized fixed prices and one-off charges */
            readonly fixed_and_one_off: number;
            /** @description With `compare_to`: `fixed_and_one_off` of the comparison time */
            readonly previous_fixed_and_one_off?: number | null;
            /** @description With `compare_to`: `fixed_and_one_off` minus `previous_fixed_and_one_off` */
            readonly change_fixed_and_one_off?: number | null;
            /** @description Recurring revenue for service days of the month, at the rates of its postings less that at the rates of MRR */
            readonly rates: number;
            /** @description With `compare_to`: `rates` of the comparison time */
            readonly previous_rates?: number | null;
            /** @description With `compare_to`: `rates` minus `previous_rates` */
            readonly change_rates?: number | null;
            /** @description Recognized amounts of the kinds of charges that `revenue_kinds` does not name, negative */
            readonly other_income: number;
            /** @description With `compare_to`: `other_income` of the comparison time */
            readonly previous_other_income?: number | null;
            /** @description With `compare_to`: `other_income` minus `previous_other_income` */
            readonly change_other_income?: number | null;
            /** @description Recognized revenue of the month: all steps together */
            readonly recognized: number;
            /** @description With `compare_to`: `recognized` of the comparison time */
            readonly previous_recognized?: number | null;
            /** @description With `compare_to`: `recognized` minus `previous_recognized` */
            readonly change_recognized?: number | null;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LedgerDso: {
            /** @description Receivables / billings of the last 90 days × 90, in days; null without billings */
            readonly dso: number | null;
            /** @description With `compare_to`: `dso` of the comparison time */
            readonly previous_dso?: number | null;
            /** @description With `compare_to`: `dso` minus `previous_dso` */
            readonly change_dso?: number | null;
            /** @description Days from the issue to the payment of invoices paid in the last 90 days, weighted by what was paid; null without payments */
            readonly collection_period: number | null;
            /** @description With `compare_to`: `collection_period` of the comparison time */
            readonly previous_collection_period?: number | null;
            /** @description With `compare_to`: `collection_period` minus `previous_collection_period` */
            readonly change_collection_period?: number | null;
            /** @description Receivables at the end of the day */
            readonly receivables: number;
            /** @description With `compare_to`: `receivables` of the comparison time */
            readonly previous_receivables?: number | null;
            /** @description With `compare_to`: `receivables` minus `previous_receivables` */
            readonly change_receivables?: number | null;
            /** @description Charges, adjustments and tax of the last 90 days */
            readonly billings: number;
            /** @description With `compare_to`: `billings` of the comparison time */
            readonly previous_billings?: number | null;
            /** @description With `compare_to`: `billings` minus `previous_billings` */
            readonly change_billings?: number | null;
            /** @description Payments of the invoices that were paid in the last 90 days */
            readonly paid: number;
            /** @description With `compare_to`: `paid` of the comparison time */
            readonly previous_paid?: number | null;
            /** @description With `compare_to`: `paid` minus `previous_paid` */
            readonly change_paid?: number | null;
        };
        readonly LedgerDsoPoint: components["schemas"]["LedgerDimensions"] & ({
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /** @description Receivables / billings of the last 90 days × 90, in days; null without billings */
            readonly dso: number | null;
            /** @description With `compare_to`: `dso` of the comparison time */
            readonly previous_dso?: number | null;
            /** @description With `compare_to`: `dso` minus `previous_dso` */
            readonly change_dso?: number | null;
            /** @description Days from the issue to the payment of invoices paid in the last 90 days, weighted by what was paid; null without payments */
            readonly collection_period: number | null;
            /** @description With `compare_to`: `collection_period` of the comparison time */
            readonly previous_collection_period?: number | null;
            /** @description With `compare_to`: `collection_period` minus `previous_collection_period` */
            readonly change_collection_period?: number | null;
            /** @description Receivables at the end of the day */
            readonly receivables: number;
            /** @description With `compare_to`: `receivables` of the comparison time */
            readonly previous_receivables?: number | null;
            /** @description With `compare_to`: `receivables` minus `previous_receivables` */
            readonly change_receivables?: number | null;
            /** @description Charges, adjustments and tax of the last 90 days */
            readonly billings: number;
            /** @description With `compare_to`: `billings` of the comparison time */
            readonly previous_billings?: number | null;
            /** @description With `compare_to`: `billings` minus `previous_billings` */
            readonly change_billings?: number | null;
            /** @description Payments of the invoices that were paid in the last 90 days */
            readonly paid: number;
            /** @description With `compare_to`: `paid` of the comparison time */
            readonly previous_paid?: number | null;
            /** @description With `compare_to`: `paid` minus `previous_paid` */
            readonly change_paid?: number | null;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LedgerDsoSeriesRow: components["schemas"]["LedgerDimensions"] & ({
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period: string;
            /** @description Receivables / billings of the last 90 days × 90, in days; null without billings */
            readonly dso: number | null;
            /** @description With `compare_to`: `dso` of the comparison time */
            readonly previous_dso?: number | null;
            /** @description With `compare_to`: `dso` minus `previous_dso` */
            readonly change_dso?: number | null;
            /** @description Days from the issue to the payment of invoices paid in the last 90 days, weighted by what was paid; null without payments */
            readonly collection_period: number | null;
            /** @description With `compare_to`: `collection_period` of the comparison time */
            readonly previous_collection_period?: number | null;
            /** @description With `compare_to`: `collection_period` minus `previous_collection_period` */
            readonly change_collection_period?: number | null;
            /** @description Receivables at the end of the day */
            readonly receivables: number;
            /** @description With `compare_to`: `receivables` of the comparison time */
            readonly previous_receivables?: number | null;
            /** @description With `compare_to`: `receivables` minus `previous_receivables` */
            readonly change_receivables?: number | null;
            /** @description Charges, adjustments and tax of the last 90 days */
            readonly billings: number;
            /** @description With `compare_to`: `billings` of the comparison time */
            readonly previous_billings?: number | null;
            /** @description With `compare_to`: `billings` minus `previous_billings` */
            readonly change_billings?: number | null;
            /** @description Payments of the invoices that were paid in the last 90 days */
            readonly paid: number;
            /** @description With `compare_to`: `paid` of the comparison time */
            readonly previous_paid?: number | null;
            /** @description With `compare_to`: `paid` minus `previous_paid` */
            readonly change_paid?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LedgerCollectionsRow: components["schemas"]["LedgerDimensions"] & ({
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period: string;
            /** @description Invoices whose first attempt was in the period */
            readonly invoices_attempted: number;
            /** @description With `compare_to`: `invoices_attempted` of the comparison time */
            readonly previous_invoices_attempted?: number | null;
            /** @description With `compare_to`: `invoices_attempted` minus `previous_invoices_attempted` */
            readonly change_invoices_attempted?: number | null;
            /** @description Those of them whose first attempt failed */
            readonly first_attempt_failed: number;
            /** @description With `compare_to`: `first_attempt_failed` of the comparison time */
            readonly previous_first_attempt_failed?: number | null;
            /** @description With `compare_to`: `first_attempt_failed` minus `previous_first_attempt_failed` */
            readonly change_first_attempt_failed?: number | null;
            /** @description What these first attempts asked for */
            readonly first_attempt_failed_amount: number;
            /** @description With `compare_to`: `first_attempt_failed_amount` of the comparison time */
            readonly previous_first_attempt_failed_amount?: number | null;
            /** @description With `compare_to`: `first_attempt_failed_amount` minus `previous_first_attempt_failed_amount` */
            readonly change_first_attempt_failed_amount?: number | null;
            /** @description Those of them that a payment paid in full within the recovery window */
            readonly recovered: number;
            /** @description With `compare_to`: `recovered` of the comparison time */
            readonly previous_recovered?: number | null;
            /** @description With `compare_to`: `recovered` minus `previous_recovered` */
            readonly change_recovered?: number | null;
            /** @description Recovered / first_attempt_failed; null if none failed */
            readonly recovery_rate: number | null;
            /** @description With `compare_to`: `recovery_rate` of the comparison time */
            readonly previous_recovery_rate?: number | null;
            /** @description With `compare_to`: `recovery_rate` minus `previous_recovery_rate` */
            readonly change_recovery_rate?: number | null;
            /** @description Median days from the first failure to the payment, of recovered invoices */
            readonly median_days_to_recover: number | null;
            /** @description With `compare_to`: `median_days_to_recover` of the comparison time */
            readonly previous_median_days_to_recover?: number | null;
            /** @description With `compare_to`: `median_days_to_recover` minus `previous_median_days_to_recover` */
            readonly change_median_days_to_recover?: number | null;
            /** @description All attempts of the attempted invoices, also later ones */
            readonly attempts: number;
            /** @description With `compare_to`: `attempts` of the comparison time */
            readonly previous_attempts?: number | null;
            /** @description With `compare_to`: `attempts` minus `previous_attempts` */
            readonly change_attempts?: number | null;
            /** @description Those of them that failed */
            readonly failed_attempts: number;
            /** @description With `compare_to`: `failed_attempts` of the comparison time */
            readonly previous_failed_attempts?: number | null;
            /** @description With `compare_to`: `failed_attempts` minus `previous_failed_attempts` */
            readonly change_failed_attempts?: number | null;
            /** @description Open invoices issued in the period that nobody has tried to collect */
            readonly never_attempted: number;
            /** @description With `compare_to`: `never_attempted` of the comparison time */
            readonly previous_never_attempted?: number | null;
            /** @description With `compare_to`: `never_attempted` minus `previous_never_attempted` */
            readonly change_never_attempted?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LedgerCorrectionsRow: components["schemas"]["LedgerDimensions"] & ({
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period: string;
            /** @description Recognized revenue as it was known on the day */
            readonly recognized_then: number;
            /** @description With `compare_to`: `recognized_then` of the comparison time */
            readonly previous_recognized_then?: number | null;
            /** @description With `compare_to`: `recognized_then` minus `previous_recognized_then` */
            readonly change_recognized_then?: number | null;
            /** @description Recognized revenue as it is known now */
            readonly recognized_now: number;
            /** @description With `compare_to`: `recognized_now` of the comparison time */
            readonly previous_recognized_now?: number | null;
            /** @description With `compare_to`: `recognized_now` minus `previous_recognized_now` */
            readonly change_recognized_now?: number | null;
            /** @description Now less then */
            readonly difference: number;
            /** @description With `compare_to`: `difference` of the comparison time */
            readonly previous_difference?: number | null;
            /** @description With `compare_to`: `difference` minus `previous_difference` */
            readonly change_difference?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LtvRow: components["schemas"]["LtvDimensions"] & ({
            /**
             * Format: date
             * @description Month in which the customer first had MRR.
             */
            readonly cohort_month?: string | null;
            /** @description Lifetime value of a customer in cents; null without churn or without paying customers */
            readonly ltv: number | null;
            /** @description With `compare_to`: `ltv` of the comparison time */
            readonly previous_ltv?: number | null;
            /** @description With `compare_to`: `ltv` minus `previous_ltv` */
            readonly change_ltv?: number | null;
            /** @description MRR per paying customer in cents; null if there are none */
            readonly arpu: number | null;
            /** @description With `compare_to`: `arpu` of the comparison time */
            readonly previous_arpu?: number | null;
            /** @description With `compare_to`: `arpu` minus `previous_arpu` */
            readonly change_arpu?: number | null;
            /** @description Monthly logo churn rate, the divisor of ARPU */
            readonly logo_churn_rate: number | null;
            /** @description With `compare_to`: `logo_churn_rate` of the comparison time */
            readonly previous_logo_churn_rate?: number | null;
            /** @description With `compare_to`: `logo_churn_rate` minus `previous_logo_churn_rate` */
            readonly change_logo_churn_rate?: number | null;
        } & {
            readonly [key: string]: unknown;
        });
        /** @description The dimensions that rows are grouped by. Each is present if the request asks for it. An attribute has the name `attr.X`. */
        readonly LtvDimensions: {
            /** @description Id of the segment. Only with `compare_segments` */
            readonly segment_id?: string;
            /** @description Type of the connector. */
            readonly source?: string | null;
            /** @description Id of the tenant of the billing engine. It stays the same if the tenant gets another name. */
            readonly source_id?: string | null;
            /** @description Name of the tenant of the billing engine. */
            readonly tenant?: string | null;
            /** @description Currency of the subscription or payment. If you group by it, amounts are in that currency. If you filter by it, they stay in the base currency. */
            readonly currency?: string | null;
            /** @description Id of the customer account. */
            readonly customer_id?: string | null;
            /** @description Name of the customer. Names can repeat, so group by customer_id to keep customers apart. */
            readonly customer_name?: string | null;
            /** @description Country of the customer. */
            readonly customer_country?: string | null;
            /**
             * Format: date
             * @description Month in which the account was created.
             */
            readonly customer_created_month?: string | null;
            /** @description Full months from the creation of the account to the date of the figure or event. */
            readonly tenure_months?: number | null;
            /** @description Id of the plan. Price overrides count under the plan they override. */
            readonly plan_id?: string | null;
            /** @description Display name of the plan, or its id if it has none. */
            readonly plan_name?: string | null;
            /** @description Unit of the billing period: day, week, month or year; null if there is none. */
            readonly plan_interval?: string | null;
            /** @description Billing period as the billing engine names it. */
            readonly billing_period?: string | null;
            /** @description Pricing model of the plan: flat or usage_based. */
            readonly pricing_model?: string | null;
            /** @description Usage type of the plan: licensed or metered. */
            readonly usage_type?: string | null;
            /** @description Product of the plan. */
            readonly product_name?: string | null;
            /** @description Product category as the billing engine names it. */
            readonly product_category?: string | null;
            /** @description Price list of the subscription. */
            readonly price_list?: string | null;
            /** @description manual if the account is exempt from automatic payment now; otherwise automatic. */
            readonly collection_method?: string | null;
            /** @description Bundle of the subscription. */
            readonly bundle_id?: string | null;
            /** @description True if a cancellation was requested by the date of the figure and takes effect after it. */
            readonly pending_cancellation?: boolean | null;
            /** @description Size of the subscription by base MRR: Free, <$100, $100-$500, $500-$1000, $1000-$5000, $5000+. */
            readonly mrr_band?: string | null;
            /** @description Size of the subscription by 12 times its base MRR: Free, <$1.2k, $1.2k-$6k, $6k-$12k, $12k-$60k, $60k+. */
            readonly arr_band?: string | null;
        };
        readonly LtvArpuPoint: components["schemas"]["LtvDimensions"] & ({
            /**
             * Format: date
             * @description Month in which the customer first had MRR.
             */
            readonly cohort_month?: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /** @description MRR per paying customer in cents; null if there are none */
            readonly arpu: number | null;
            /** @description With `compare_to`: `arpu` of the comparison time */
            readonly previous_arpu?: number | null;
            /** @description With `compare_to`: `arpu` minus `previous_arpu` */
            readonly change_arpu?: number | null;
            /** @description MRR in cents */
            readonly mrr: number;
            /** @description With `compare_to`: `mrr` of the comparison time */
            readonly previous_mrr?: number | null;
            /** @description With `compare_to`: `mrr` minus `previous_mrr` */
            readonly change_mrr?: number | null;
            /** @description Customers with MRR above 0; null if is_rest */
            readonly active_customers: number | null;
            /** @description With `compare_to`: `active_customers` of the comparison time */
            readonly previous_active_customers?: number | null;
            /** @description With `compare_to`: `active_customers` minus `previous_active_customers` */
            readonly change_active_customers?: number | null;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LtvArpuSeriesRow: components["schemas"]["LtvDimensions"] & ({
            /**
             * Format: date
             * @description Month in which the customer first had MRR.
             */
            readonly cohort_month?: string | null;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period: string;
            /** @description MRR per paying customer in cents; null if there are none */
            readonly arpu: number | null;
            /** @description With `compare_to`: `arpu` of the comparison time */
            readonly previous_arpu?: number | null;
            /** @description With `compare_to`: `arpu` minus `previous_arpu` */
            readonly change_arpu?: number | null;
            /** @description MRR in cents */
            readonly mrr: number;
            /** @description With `compare_to`: `mrr` of the comparison time */
            readonly previous_mrr?: number | null;
            /** @description With `compare_to`: `mrr` minus `previous_mrr` */
            readonly change_mrr?: number | null;
            /** @description Customers with MRR above 0 */
            readonly active_customers: number;
            /** @description With `compare_to`: `active_customers` of the comparison time */
            readonly previous_active_customers?: number | null;
            /** @description With `compare_to`: `active_customers` minus `previous_active_customers` */
            readonly change_active_customers?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LtvSalePriceRow: components["schemas"]["LtvDimensions"] & ({
            /**
             * Format: date
             * @description Month in which the customer first had MRR.
             */
            readonly cohort_month?: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period?: string;
            /** @description First MRR per new customer in cents; null if there are none */
            readonly average_sale_price: number | null;
            /** @description With `compare_to`: `average_sale_price` of the comparison time */
            readonly previous_average_sale_price?: number | null;
            /** @description With `compare_to`: `average_sale_price` minus `previous_average_sale_price` */
            readonly change_average_sale_price?: number | null;
            /** @description First MRR of the new customers */
            readonly new_customer_mrr: number;
            /** @description With `compare_to`: `new_customer_mrr` of the comparison time */
            readonly previous_new_customer_mrr?: number | null;
            /** @description With `compare_to`: `new_customer_mrr` minus `previous_new_customer_mrr` */
            readonly change_new_customer_mrr?: number | null;
            /** @description Customers that had MRR for the first time */
            readonly new_customers: number;
            /** @description With `compare_to`: `new_customers` of the comparison time */
            readonly previous_new_customers?: number | null;
            /** @description With `compare_to`: `new_customers` minus `previous_new_customers` */
            readonly change_new_customers?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly LtvCohortRow: components["schemas"]["LtvDimensions"] & ({
            /**
             * Format: date
             * @description Month in which the customers first had MRR; null if is_rest
             */
            readonly cohort_month: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /** @description Customers that first had MRR in this month. A retention cohort has those that were first live in it, also without MRR */
            readonly customer_count: number;
            /** @description Amount they paid in the range, in cents */
            readonly total_revenue: number;
            /** @description total_revenue / customer_count; null for an empty cohort */
            readonly avg_revenue_per_customer: number | null;
        } & {
            readonly [key: string]: unknown;
        });
        readonly MrrPoint: components["schemas"]["MrrDimensions"] & ({
            /** @description new, expansion, contraction, churn or reactivation. Levels have no movement type, so mrr and arr are null if you use it. */
            readonly movement_type?: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /** @description MRR in cents; in a series, at the end of the period */
            readonly mrr: number;
            /** @description With `compare_to`: `mrr` of the comparison time */
            readonly previous_mrr?: number | null;
            /** @description With `compare_to`: `mrr` minus `previous_mrr` */
            readonly change_mrr?: number | null;
            /** @description With `forecast`: true if the row counts what lies after now; absent otherwise */
            readonly is_forecast?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        /** @description The dimensions that rows are grouped by. Each is present if the request asks for it. An attribute has the name `attr.X`. */
        readonly MrrDimensions: {
            /** @description Id of the segment. Only with `compare_segments` */
            readonly segment_id?: string;
            /** @description Type of the connector. */
            readonly source?: string | null;
            /** @description Id of the tenant of the billing engine. It stays the same if the tenant gets another name. */
            readonly source_id?: string | null;
            /** @description Name of the tenant of the billing engine. */
            readonly tenant?: string | null;
            /** @description Currency of the subscription or payment. If you group by it, amounts are in that currency. If you filter by it, they stay in the base currency. */
            readonly currency?: string | null;
            /** @description Id of the customer account. */
            readonly customer_id?: string | null;
            /** @description Name of the customer. Names can repeat, so group by customer_id to keep customers apart. */
            readonly customer_name?: string | null;
            /** @description Country of the customer. */
            readonly customer_country?: string | null;
            /**
             * Format: date
             * @description Month in which the customer was first live; null if it never was.
             */
            readonly cohort_month?: string | null;
            /**
             * Format: date
             * @description Month in which the account was created.
             */
            readonly customer_created_month?: string | null;
            /** @description Full months from the creation of the account to the date of the figure or event. */
            readonly tenure_months?: number | null;
            /** @description Id of the plan. Price overrides count under the plan they override. */
            readonly plan_id?: string | null;
            /** @description Display name of the plan, or its id if it has none. */
            readonly plan_name?: string | null;
            /** @description Unit of the billing period: day, week, month or year; null if there is none. */
            readonly plan_interval?: string | null;
            /** @description Billing period as the billing engine names it. */
            readonly billing_period?: string | null;
            /** @description Pricing model of the plan: flat or usage_based. */
            readonly pricing_model?: string | null;
            /** @description Usage type of the plan: licensed or metered. */
            readonly usage_type?: string | null;
            /** @description Product of the plan. */
            readonly product_name?: string | null;
            /** @description Product category as the billing engine names it. */
            readonly product_category?: string | null;
            /** @description Price list of the subscription. */
            readonly price_list?: string | null;
            /** @description manual if the account is exempt from automatic payment now; otherwise automatic. */
            readonly collection_method?: string | null;
            /** @description Bundle of the subscription. */
            readonly bundle_id?: string | null;
            /** @description Phase of the plan: trial, discount, fixedterm or evergreen. */
            readonly phase_type?: string | null;
            /** @description Component of MRR: subscription or usage. */
            readonly movement_source?: string | null;
            /** @description True if a cancellation was requested by the date of the figure and takes effect after it. */
            readonly pending_cancellation?: boolean | null;
            /** @description Size of the subscription by base MRR: Free, <$100, $100-$500, $500-$1000, $1000-$5000, $5000+. */
            readonly mrr_band?: string | null;
            /** @description Size of the subscription by 12 times its base MRR: Free, <$1.2k, $1.2k-$6k, $6k-$12k, $12k-$60k, $60k+. */
            readonly arr_band?: string | null;
        };
        readonly MrrSeriesRow: components["schemas"]["MrrDimensions"] & ({
            /** @description new, expansion, contraction, churn or reactivation. Levels have no movement type, so mrr and arr are null if you use it. */
            readonly movement_type?: string | null;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period: string;
            /** @description MRR in cents; in a series, at the end of the period */
            readonly mrr: number | null;
            /** @description With `compare_to`: `mrr` of the comparison time */
            readonly previous_mrr?: number | null;
            /** @description With `compare_to`: `mrr` minus `previous_mrr` */
            readonly change_mrr?: number | null;
            /** @description Net movement of MRR in the period, in cents */
            readonly amount_base: number;
            /** @description With `compare_to`: `amount_base` of the comparison time */
            readonly previous_amount_base?: number | null;
            /** @description With `compare_to`: `amount_base` minus `previous_amount_base` */
            readonly change_amount_base?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
            /** @description With `forecast`: true if the row counts what lies after now; absent otherwise */
            readonly is_forecast?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly MrrArrPoint: components["schemas"]["MrrDimensions"] & ({
            /** @description new, expansion, contraction, churn or reactivation. Levels have no movement type, so mrr and arr are null if you use it. */
            readonly movement_type?: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /** @description MRR in cents; in a series, at the end of the period */
            readonly mrr: number;
            /** @description With `compare_to`: `mrr` of the comparison time */
            readonly previous_mrr?: number | null;
            /** @description With `compare_to`: `mrr` minus `previous_mrr` */
            readonly change_mrr?: number | null;
            /** @description 12 times MRR, in cents */
            readonly arr: number;
            /** @description With `compare_to`: `arr` of the comparison time */
            readonly previous_arr?: number | null;
            /** @description With `compare_to`: `arr` minus `previous_arr` */
            readonly change_arr?: number | null;
            /** @description With `forecast`: true if the row counts what lies after now; absent otherwise */
            readonly is_forecast?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly MrrArrSeriesRow: components["schemas"]["MrrDimensions"] & ({
            /** @description new, expansion, contraction, churn or reactivation. Levels have no movement type, so mrr and arr are null if you use it. */
            readonly movement_type?: string | null;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period: string;
            /** @description 12 times MRR, in cents */
            readonly arr: number | null;
            /** @description With `compare_to`: `arr` of the comparison time */
            readonly previous_arr?: number | null;
            /** @description With `compare_to`: `arr` minus `previous_arr` */
            readonly change_arr?: number | null;
            /** @description MRR in cents; in a series, at the end of the period */
            readonly mrr: number | null;
            /** @description With `compare_to`: `mrr` of the comparison time */
            readonly previous_mrr?: number | null;
            /** @description With `compare_to`: `mrr` minus `previous_mrr` */
            readonly change_mrr?: number | null;
            /** @description Net movement of MRR in the period, in cents */
            readonly amount_base: number;
            /** @description With `compare_to`: `amount_base` of the comparison time */
            readonly previous_amount_base?: number | null;
            /** @description With `compare_to`: `amount_base` minus `previous_amount_base` */
            readonly change_amount_base?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
            /** @description With `forecast`: true if the row counts what lies after now; absent otherwise */
            readonly is_forecast?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly MrrComponents: {
            /** @description Recurring component of MRR, in cents */
            readonly subscription_mrr: number;
            /** @description With `compare_to`: `subscription_mrr` of the comparison time */
            readonly previous_subscription_mrr?: number | null;
            /** @description With `compare_to`: `subscription_mrr` minus `previous_subscription_mrr` */
            readonly change_subscription_mrr?: number | null;
            /** @description Usage component of MRR, in cents */
            readonly usage_mrr: number;
            /** @description With `compare_to`: `usage_mrr` of the comparison time */
            readonly previous_usage_mrr?: number | null;
            /** @description With `compare_to`: `usage_mrr` minus `previous_usage_mrr` */
            readonly change_usage_mrr?: number | null;
            /** @description MRR in cents; in a series, at the end of the period */
            readonly mrr: number;
            /** @description With `compare_to`: `mrr` of the comparison time */
            readonly previous_mrr?: number | null;
            /** @description With `compare_to`: `mrr` minus `previous_mrr` */
            readonly change_mrr?: number | null;
            /** @description With `forecast`: true if the row counts what lies after now; absent otherwise */
            readonly is_forecast?: boolean;
        };
        readonly MrrComponentsPoint: components["schemas"]["MrrDimensions"] & ({
            /** @description new, expansion, contraction, churn or reactivation. Levels have no movement type, so mrr and arr are null if you use it. */
            readonly movement_type?: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /** @description Recurring component of MRR, in cents */
            readonly subscription_mrr: number;
            /** @description With `compare_to`: `subscription_mrr` of the comparison time */
            readonly previous_subscription_mrr?: number | null;
            /** @description With `compare_to`: `subscription_mrr` minus `previous_subscription_mrr` */
            readonly change_subscription_mrr?: number | null;
            /** @description Usage component of MRR, in cents */
            readonly usage_mrr: number;
            /** @description With `compare_to`: `usage_mrr` of the comparison time */
            readonly previous_usage_mrr?: number | null;
            /** @description With `compare_to`: `usage_mrr` minus `previous_usage_mrr` */
            readonly change_usage_mrr?: number | null;
            /** @description MRR in cents; in a series, at the end of the period */
            readonly mrr: number;
            /** @description With `compare_to`: `mrr` of the comparison time */
            readonly previous_mrr?: number | null;
            /** @description With `compare_to`: `mrr` minus `previous_mrr` */
            readonly change_mrr?: number | null;
            /** @description With `forecast`: true if the row counts what lies after now; absent otherwise */
            readonly is_forecast?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly MrrComponentsSeriesRow: components["schemas"]["MrrDimensions"] & ({
            /** @description new, expansion, contraction, churn or reactivation. Levels have no movement type, so mrr and arr are null if you use it. */
            readonly movement_type?: string | null;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period: string;
            /** @description Recurring component of MRR, in cents */
            readonly subscription_mrr: number;
            /** @description With `compare_to`: `subscription_mrr` of the comparison time */
            readonly previous_subscription_mrr?: number | null;
            /** @description With `compare_to`: `subscription_mrr` minus `previous_subscription_mrr` */
            readonly change_subscription_mrr?: number | null;
            /** @description Usage component of MRR, in cents */
            readonly usage_mrr: number;
            /** @description With `compare_to`: `usage_mrr` of the comparison time */
            readonly previous_usage_mrr?: number | null;
            /** @description With `compare_to`: `usage_mrr` minus `previous_usage_mrr` */
            readonly change_usage_mrr?: number | null;
            /** @description MRR in cents; in a series, at the end of the period */
            readonly mrr: number;
            /** @description With `compare_to`: `mrr` of the comparison time */
            readonly previous_mrr?: number | null;
            /** @description With `compare_to`: `mrr` minus `previous_mrr` */
            readonly change_mrr?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
            /** @description With `forecast`: true if the row counts what lies after now; absent otherwise */
            readonly is_forecast?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly MrrBreakdownRow: components["schemas"]["MrrDimensions"] & ({
            /**
             * @description Kind of movement; null if is_rest
             * @enum {string|null}
             */
            readonly movement_type: "new" | "expansion" | "contraction" | "churn" | "reactivation" | "transfer" | "fx_effect" | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period?: string;
            /** @description Sum of the movements in cents; losses are negative */
            readonly amount_base: number;
            /** @description With `compare_to`: `amount_base` of the comparison time */
            readonly previous_amount_base?: number | null;
            /** @description With `compare_to`: `amount_base` minus `previous_amount_base` */
            readonly change_amount_base?: number | null;
            /** @description Number of movements */
            readonly event_count: number;
            /** @description With `compare_to`: `event_count` of the comparison time */
            readonly previous_event_count?: number | null;
            /** @description With `compare_to`: `event_count` minus `previous_event_count` */
            readonly change_event_count?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
            /** @description With `forecast`: true if the row counts what lies after now; absent otherwise */
            readonly is_forecast?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly MrrWaterfallRow: components["schemas"]["MrrDimensions"] & ({
            /** @description new, expansion, contraction, churn or reactivation. Levels have no movement type, so mrr and arr are null if you use it. */
            readonly movement_type?: string | null;
            /**
             * Format: date
             * @description Same as `period`
             */
            readonly month: string;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period: string;
            /** @description MRR just before the period */
            readonly starting_mrr: number;
            /** @description With `compare_to`: `starting_mrr` of the comparison time */
            readonly previous_starting_mrr?: number | null;
            /** @description With `compare_to`: `starting_mrr` minus `previous_starting_mrr` */
            readonly change_starting_mrr?: number | null;
            /** @description MRR of first activations */
            readonly new: number;
            /** @description With `compare_to`: `new` of the comparison time */
            readonly previous_new?: number | null;
            /** @description With `compare_to`: `new` minus `previous_new` */
            readonly change_new?: number | null;
            /** @description Growth of active subscriptions */
            readonly expansion: number;
            /** @description With `compare_to`: `expansion` of the comparison time */
            readonly previous_expansion?: number | null;
            /** @description With `compare_to`: `expansion` minus `previous_expansion` */
            readonly change_expansion?: number | null;
            /** @description Shrinkage of active subscriptions; negative */
            readonly contraction: number;
            /** @description With `compare_to`: `contraction` of the comparison time */
            readonly previous_contraction?: number | null;
            /** @description With `compare_to`: `contraction` minus `previous_contraction` */
            readonly change_contraction?: number | null;
            /** @description MRR lost to pauses and ends; negative */
            readonly churn: number;
            /** @description With `compare_to`: `churn` of the comparison time */
            readonly previous_churn?: number | null;
            /** @description With `compare_to`: `churn` minus `previous_churn` */
            readonly change_churn?: number | null;
            /** @description MRR of returning customers and resumed subscriptions */
            readonly reactivation: number;
            /** @description With `compare_to`: `reactivation` of the comparison time */
            readonly previous_reactivation?: number | null;
            /** @description With `compare_to`: `reactivation` minus `previous_reactivation` */
            readonly change_reactivation?: number | null;
            /** @description MRR that entered or left the group because its value changed */
            readonly transfer: number;
            /** @description With `compare_to`: `transfer` of the comparison time */
            readonly previous_transfer?: number | null;
            /** @description With `compare_to`: `transfer` minus `previous_transfer` */
            readonly change_transfer?: number | null;
            /** @description Effect of exchange rates; 0 unless the definitions revalue open MRR */
            readonly fx_effect: number;
            /** @description With `compare_to`: `fx_effect` of the comparison time */
            readonly previous_fx_effect?: number | null;
            /** @description With `compare_to`: `fx_effect` minus `previous_fx_effect` */
            readonly change_fx_effect?: number | null;
            /** @description Sum of the seven parts */
            readonly net_change: number;
            /** @description With `compare_to`: `net_change` of the comparison time */
            readonly previous_net_change?: number | null;
            /** @description With `compare_to`: `net_change` minus `previous_net_change` */
            readonly change_net_change?: number | null;
            /** @description MRR at the end of the period */
            readonly ending_mrr: number;
            /** @description With `compare_to`: `ending_mrr` of the comparison time */
            readonly previous_ending_mrr?: number | null;
            /** @description With `compare_to`: `ending_mrr` minus `previous_ending_mrr` */
            readonly change_ending_mrr?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
            /** @description With `forecast`: true if the row counts what lies after now; absent otherwise */
            readonly is_forecast?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly MrrWhy: {
            /** @description MRR just before the range */
            readonly start_mrr: number;
            /** @description With `compare_to`: `start_mrr` of the comparison time */
            readonly previous_start_mrr?: number | null;
            /** @description With `compare_to`: `start_mrr` minus `previous_start_mrr` */
            readonly change_start_mrr?: number | null;
            /** @description MRR at the end of the range */
            readonly end_mrr: number;
            /** @description With `compare_to`: `end_mrr` of the comparison time */
            readonly previous_end_mrr?: number | null;
            /** @description With `compare_to`: `end_mrr` minus `previous_end_mrr` */
            readonly change_end_mrr?: number | null;
            /** @description end_mrr - start_mrr */
            readonly change: number;
            /** @description With `compare_to`: `change` of the comparison time */
            readonly previous_change?: number | null;
            /** @description With `compare_to`: `change` minus `previous_change` */
            readonly change_change?: number | null;
            /** @description The change by kind of movement; adds up to `change` */
            readonly by_movement: {
                /** @description MRR of first activations */
                readonly new: number;
                /** @description Growth of active subscriptions */
                readonly expansion: number;
                /** @description Shrinkage of active subscriptions; negative */
                readonly contraction: number;
                /** @description MRR lost to pauses and ends; negative */
                readonly churn: number;
                /** @description MRR of returning customers and resumed subscriptions */
                readonly reactivation: number;
                /** @description MRR that entered or left the filters because its value changed */
                readonly transfer: number;
                /** @description Effect of exchange rates; 0 unless the definitions revalue open MRR */
                readonly fx_effect: number;
            };
            /** @description What only exchange rates changed: old amounts at the rate of their change, less their base amounts until then */
            readonly rate_parts: {
                /** @description Part of `by_movement.expansion` that exchange rates made */
                readonly expansion: number;
                /** @description Part of `by_movement.contraction` that exchange rates made */
                readonly contraction: number;
            };
            /** @description The change by plan, largest first; adds up to `change` */
            readonly by_plan: readonly {
                /** @description Plan */
                readonly plan_id: string | null;
                /** @description Change of MRR in base cents; losses are negative */
                readonly amount_base: number;
            }[];
            /** @description The largest movements, by absolute amount */
            readonly movers: readonly {
                /** @description Id of the customer */
                readonly customer_id: string;
                /** @description Name of the customer */
                readonly customer_name: string | null;
                /** @description Id of the subscription; for a switch, of the one that began */
                readonly subscription_id: string;
                /** @description Plan of the subscription */
                readonly plan_id: string | null;
                /**
                 * @description Kind of movement
                 * @enum {string}
                 */
                readonly movement_type: "new" | "expansion" | "contraction" | "churn" | "reactivation";
                /**
                 * Format: date-time
                 * @description When it happened
                 */
                readonly occurred_at: string;
                /** @description Change of MRR in base cents; losses are negative */
                readonly amount_base: number;
                /** @description Part of `amount_base` that the exchange rate made */
                readonly rate_part: number;
                /** @description The movement as a sentence */
                readonly text: string;
            }[];
            /** @description The change in words: first in total, then by kind of movement, largest first. Each kind names its leading plan and how many of its movements are of that plan. */
            readonly sentences: readonly string[];
        };
        readonly MrrWhyRow: components["schemas"]["MrrDimensions"] & ({
            /** @description new, expansion, contraction, churn or reactivation. Levels have no movement type, so mrr and arr are null if you use it. */
            readonly movement_type?: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /** @description MRR just before the range */
            readonly start_mrr: number;
            /** @description MRR at the end of the range */
            readonly end_mrr: number;
            /** @description end_mrr - start_mrr */
            readonly change: number;
            /** @description The change by kind of movement; adds up to `change`; null if is_rest */
            readonly by_movement: {
                /** @description MRR of first activations */
                readonly new: number;
                /** @description Growth of active subscriptions */
                readonly expansion: number;
                /** @description Shrinkage of active subscriptions; negative */
                readonly contraction: number;
                /** @description MRR lost to pauses and ends; negative */
                readonly churn: number;
                /** @description MRR of returning customers and resumed subscriptions */
                readonly reactivation: number;
                /** @description MRR that entered or left the filters because its value changed */
                readonly transfer: number;
                /** @description Effect of exchange rates; 0 unless the definitions revalue open MRR */
                readonly fx_effect: number;
            } | null;
            /** @description What only exchange rates changed: old amounts at the rate of their change, less their base amounts until then; null if is_rest */
            readonly rate_parts: {
                /** @description Part of `by_movement.expansion` that exchange rates made */
                readonly expansion: number;
                /** @description Part of `by_movement.contraction` that exchange rates made */
                readonly contraction: number;
            } | null;
            /** @description The change by plan, largest first; adds up to `change`; null if is_rest */
            readonly by_plan: readonly {
                /** @description Plan */
                readonly plan_id: string | null;
                /** @description Change of MRR in base cents; losses are negative */
                readonly amount_base: number;
            }[] | null;
            /** @description The largest movements, by absolute amount; null if is_rest */
            readonly movers: readonly {
                /** @description Id of the customer */
                readonly customer_id: string;
                /** @description Name of the customer */
                readonly customer_name: string | null;
                /** @description Id of the subscription; for a switch, of the one that began */
                readonly subscription_id: string;
                /** @description Plan of the subscription */
                readonly plan_id: string | null;
                /**
                 * @description Kind of movement
                 * @enum {string}
                 */
                readonly movement_type: "new" | "expansion" | "contraction" | "churn" | "reactivation";
                /**
                 * Format: date-time
                 * @description When it happened
                 */
                readonly occurred_at: string;
                /** @description Change of MRR in base cents; losses are negative */
                readonly amount_base: number;
                /** @description Part of `amount_base` that the exchange rate made */
                readonly rate_part: number;
                /** @description The movement as a sentence */
                readonly text: string;
            }[] | null;
            /** @description The change in words: first in total, then by kind of movement, largest first. Each kind names its leading plan and how many of its movements are of that plan.; null if is_rest */
            readonly sentences: readonly string[] | null;
        } & {
            readonly [key: string]: unknown;
        });
        readonly RetentionRow: components["schemas"]["RetentionDimensions"] & ({
            /**
             * Format: date
             * @description Month in which the customers were first live
             */
            readonly cohort_month: string;
            /**
             * Format: date
             * @description Month of the count
             */
            readonly active_month: string;
            /** @description Months from the cohort month to the active month */
            readonly months_since: number;
            /** @description Customers that were first live in this month, also without MRR */
            readonly cohort_size: number;
            /** @description Customers of the cohort that are live at the end of the active month */
            readonly active_count: number;
            /** @description active_count / cohort_size */
            readonly retention_rate: number | null;
            /** @description True if the month is over now, and was over at the end of the range */
            readonly is_complete: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        /** @description The dimensions that rows are grouped by. Each is present if the request asks for it. An attribute has the name `attr.X`. */
        readonly RetentionDimensions: {
            /** @description Id of the segment. Only with `compare_segments` */
            readonly segment_id?: string;
            /** @description Type of the connector. */
            readonly source?: string | null;
            /** @description Id of the tenant of the billing engine. It stays the same if the tenant gets another name. */
            readonly source_id?: string | null;
            /** @description Name of the tenant of the billing engine. */
            readonly tenant?: string | null;
            /** @description Id of the customer account. */
            readonly customer_id?: string | null;
            /** @description Name of the customer. Names can repeat, so group by customer_id to keep customers apart. */
            readonly customer_name?: string | null;
            /** @description Country of the customer. */
            readonly customer_country?: string | null;
            /**
             * Format: date
             * @description Month in which the account was created.
             */
            readonly customer_created_month?: string | null;
            /** @description Currency of the subscription or payment. If you group by it, amounts are in that currency. If you filter by it, they stay in the base currency. */
            readonly currency?: string | null;
            /** @description Full months from the creation of the account to the date of the figure or event. */
            readonly tenure_months?: number | null;
            /** @description Id of the plan. Price overrides count under the plan they override. */
            readonly plan_id?: string | null;
            /** @description Display name of the plan, or its id if it has none. */
            readonly plan_name?: string | null;
            /** @description Unit of the billing period: day, week, month or year; null if there is none. */
            readonly plan_interval?: string | null;
            /** @description Billing period as the billing engine names it. */
            readonly billing_period?: string | null;
            /** @description Pricing model of the plan: flat or usage_based. */
            readonly pricing_model?: string | null;
            /** @description Usage type of the plan: licensed or metered. */
            readonly usage_type?: string | null;
            /** @description Product of the plan. */
            readonly product_name?: string | null;
            /** @description Product category as the billing engine names it. */
            readonly product_category?: string | null;
            /** @description Price list of the subscription. */
            readonly price_list?: string | null;
            /** @description manual if the account is exempt from automatic payment now; otherwise automatic. */
            readonly collection_method?: string | null;
            /** @description Bundle of the subscription. */
            readonly bundle_id?: string | null;
        };
        readonly RetentionRevenueCohortMatrixRow: components["schemas"]["RetentionDimensions"] & ({
            /**
             * Format: date
             * @description Month in which the customers were first live
             */
            readonly cohort_month: string;
            /**
             * Format: date
             * @description Month of the count
             */
            readonly active_month: string;
            /** @description Months from the cohort month to the active month */
            readonly months_since: number;
            /** @description MRR of the cohort at the end of its first month, in cents */
            readonly start_mrr: number;
            /** @description MRR of the cohort at the end of the active month, in cents */
            readonly mrr: number;
            /** @description mrr / start_mrr; null if start_mrr is 0 */
            readonly net_retention_rate: number | null;
            /** @description The same rate, with at most the start MRR of each customer; null if start_mrr is 0 */
            readonly gross_retention_rate: number | null;
            /** @description True if the month is over now, and was over at the end of the range */
            readonly is_complete: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly RetentionNrrRow: components["schemas"]["RetentionDimensions"] & ({
            /**
             * Format: date
             * @description Month in which the customer was first live; null if it never was.
             */
            readonly cohort_month?: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period?: string;
            /** @description Retained MRR with growth / MRR at the start; null if that is 0 */
            readonly retention_rate: number | null;
            /** @description With `compare_to`: `retention_rate` of the comparison time */
            readonly previous_retention_rate?: number | null;
            /** @description With `compare_to`: `retention_rate` minus `previous_retention_rate` */
            readonly change_retention_rate?: number | null;
            /** @description MRR of the start cohort just before the start, in cents */
            readonly start_mrr: number;
            /** @description With `compare_to`: `start_mrr` of the comparison time */
            readonly previous_start_mrr?: number | null;
            /** @description With `compare_to`: `start_mrr` minus `previous_start_mrr` */
            readonly change_start_mrr?: number | null;
            /** @description Expansion of the start cohort, not capped */
            readonly expansion: number;
            /** @description With `compare_to`: `expansion` of the comparison time */
            readonly previous_expansion?: number | null;
            /** @description With `compare_to`: `expansion` minus `previous_expansion` */
            readonly change_expansion?: number | null;
            /** @description Contraction of the start cohort, not capped; negative */
            readonly contraction: number;
            /** @description With `compare_to`: `contraction` of the comparison time */
            readonly previous_contraction?: number | null;
            /** @description With `compare_to`: `contraction` minus `previous_contraction` */
            readonly change_contraction?: number | null;
            /** @description Churn of the start cohort, not capped; negative */
            readonly churn: number;
            /** @description With `compare_to`: `churn` of the comparison time */
            readonly previous_churn?: number | null;
            /** @description With `compare_to`: `churn` minus `previous_churn` */
            readonly change_churn?: number | null;
            /** @description MRR of the start cohort that came back by reactivation; 0 unless nrr_reactivation = include */
            readonly reactivation: number;
            /** @description With `compare_to`: `reactivation` of the comparison time */
            readonly previous_reactivation?: number | null;
            /** @description With `compare_to`: `reactivation` minus `previous_reactivation` */
            readonly change_reactivation?: number | null;
            /** @description MRR that returns of the start cohort would add, in cents; null if a price or an exchange rate is missing */
            readonly reactivation_excluded: number | null;
            /** @description With `compare_to`: `reactivation_excluded` of the comparison time */
            readonly previous_reactivation_excluded?: number | null;
            /** @description With `compare_to`: `reactivation_excluded` minus `previous_reactivation_excluded` */
            readonly change_reactivation_excluded?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly RetentionGrrRow: components["schemas"]["RetentionDimensions"] & ({
            /**
             * Format: date
             * @description Month in which the customer was first live; null if it never was.
             */
            readonly cohort_month?: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period?: string;
            /** @description Retained MRR without growth / MRR at the start; null if that is 0 */
            readonly retention_rate: number | null;
            /** @description With `compare_to`: `retention_rate` of the comparison time */
            readonly previous_retention_rate?: number | null;
            /** @description With `compare_to`: `retention_rate` minus `previous_retention_rate` */
            readonly change_retention_rate?: number | null;
            /** @description MRR of the start cohort just before the start, in cents */
            readonly start_mrr: number;
            /** @description With `compare_to`: `start_mrr` of the comparison time */
            readonly previous_start_mrr?: number | null;
            /** @description With `compare_to`: `start_mrr` minus `previous_start_mrr` */
            readonly change_start_mrr?: number | null;
            /** @description Contraction of the start cohort, not capped; negative */
            readonly contraction: number;
            /** @description With `compare_to`: `contraction` of the comparison time */
            readonly previous_contraction?: number | null;
            /** @description With `compare_to`: `contraction` minus `previous_contraction` */
            readonly change_contraction?: number | null;
            /** @description Churn of the start cohort, not capped; negative */
            readonly churn: number;
            /** @description With `compare_to`: `churn` of the comparison time */
            readonly previous_churn?: number | null;
            /** @description With `compare_to`: `churn` minus `previous_churn` */
            readonly change_churn?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly TrialsRow: components["schemas"]["TrialsDimensions"] & ({
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period?: string;
            /** @description Converted trials / started trials; null if none started */
            readonly conversion_rate: number | null;
            /** @description With `compare_to`: `conversion_rate` of the comparison time */
            readonly previous_conversion_rate?: number | null;
            /** @description With `compare_to`: `conversion_rate` minus `previous_conversion_rate` */
            readonly change_conversion_rate?: number | null;
            /** @description Converted trials / (converted + expired); null if no trial is decided */
            readonly decided_conversion_rate: number | null;
            /** @description With `compare_to`: `decided_conversion_rate` of the comparison time */
            readonly previous_decided_conversion_rate?: number | null;
            /** @description With `compare_to`: `decided_conversion_rate` minus `previous_decided_conversion_rate` */
            readonly change_decided_conversion_rate?: number | null;
            /** @description Trials that began in the range or period */
            readonly started: number;
            /** @description With `compare_to`: `started` of the comparison time */
            readonly previous_started?: number | null;
            /** @description With `compare_to`: `started` minus `previous_started` */
            readonly change_started?: number | null;
            /** @description Trials that have converted so far */
            readonly converted: number;
            /** @description With `compare_to`: `converted` of the comparison time */
            readonly previous_converted?: number | null;
            /** @description With `compare_to`: `converted` minus `previous_converted` */
            readonly change_converted?: number | null;
            /** @description Trials that ended without converting */
            readonly expired: number;
            /** @description With `compare_to`: `expired` of the comparison time */
            readonly previous_expired?: number | null;
            /** @description With `compare_to`: `expired` minus `previous_expired` */
            readonly change_expired?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        /** @description The dimensions that rows are grouped by. Each is present if the request asks for it. An attribute has the name `attr.X`. */
        readonly TrialsDimensions: {
            /** @description Id of the segment. Only with `compare_segments` */
            readonly segment_id?: string;
            /** @description Type of the connector. */
            readonly source?: string | null;
            /** @description Id of the tenant of the billing engine. It stays the same if the tenant gets another name. */
            readonly source_id?: string | null;
            /** @description Name of the tenant of the billing engine. */
            readonly tenant?: string | null;
            /** @description Id of the customer account. */
            readonly customer_id?: string | null;
            /** @description Name of the customer. Names can repeat, so group by customer_id to keep customers apart. */
            readonly customer_name?: string | null;
            /** @description Country of the customer. */
            readonly customer_country?: string | null;
            /**
             * Format: date
             * @description Month in which the customer was first live; null if it never was.
             */
            readonly cohort_month?: string | null;
            /**
             * Format: date
             * @description Month in which the account was created.
             */
            readonly customer_created_month?: string | null;
            /** @description Full months from the creation of the account to the date of the figure or event. */
            readonly tenure_months?: number | null;
            /** @description Id of the plan. Price overrides count under the plan they override. */
            readonly plan_id?: string | null;
            /** @description Display name of the plan, or its id if it has none. */
            readonly plan_name?: string | null;
            /** @description Unit of the billing period: day, week, month or year; null if there is none. */
            readonly plan_interval?: string | null;
            /** @description Billing period as the billing engine names it. */
            readonly billing_period?: string | null;
            /** @description Pricing model of the plan: flat or usage_based. */
            readonly pricing_model?: string | null;
            /** @description Usage type of the plan: licensed or metered. */
            readonly usage_type?: string | null;
            /** @description Product of the plan. */
            readonly product_name?: string | null;
            /** @description Product category as the billing engine names it. */
            readonly product_category?: string | null;
            /** @description Price list of the subscription. */
            readonly price_list?: string | null;
            /** @description manual if the account is exempt from automatic payment now; otherwise automatic. */
            readonly collection_method?: string | null;
            /** @description Bundle of the subscription. */
            readonly bundle_id?: string | null;
            /** @description Days from the start of the trial to its conversion; null if it has not converted. */
            readonly days_to_convert?: number | null;
        };
        readonly TrialsFunnel: {
            /** @description Trials that began in the range or period */
            readonly started: number;
            /** @description With `compare_to`: `started` of the comparison time */
            readonly previous_started?: number | null;
            /** @description With `compare_to`: `started` minus `previous_started` */
            readonly change_started?: number | null;
            /** @description Trials that have converted so far */
            readonly converted: number;
            /** @description With `compare_to`: `converted` of the comparison time */
            readonly previous_converted?: number | null;
            /** @description With `compare_to`: `converted` minus `previous_converted` */
            readonly change_converted?: number | null;
            /** @description Trials that ended without converting */
            readonly expired: number;
            /** @description With `compare_to`: `expired` of the comparison time */
            readonly previous_expired?: number | null;
            /** @description With `compare_to`: `expired` minus `previous_expired` */
            readonly change_expired?: number | null;
            /** @description Trials still open: started - converted - expired */
            readonly pending: number;
            /** @description With `compare_to`: `pending` of the comparison time */
            readonly previous_pending?: number | null;
            /** @description With `compare_to`: `pending` minus `previous_pending` */
            readonly change_pending?: number | null;
            /** @description Converted trials / started trials; null if none started */
            readonly conversion_rate: number | null;
            /** @description With `compare_to`: `conversion_rate` of the comparison time */
            readonly previous_conversion_rate?: number | null;
            /** @description With `compare_to`: `conversion_rate` minus `previous_conversion_rate` */
            readonly change_conversion_rate?: number | null;
            /** @description Converted trials / (converted + expired); null if no trial is decided */
            readonly decided_conversion_rate: number | null;
            /** @description With `compare_to`: `decided_conversion_rate` of the comparison time */
            readonly previous_decided_conversion_rate?: number | null;
            /** @description With `compare_to`: `decided_conversion_rate` minus `previous_decided_conversion_rate` */
            readonly change_decided_conversion_rate?: number | null;
        };
        readonly TrialsFunnelRow: components["schemas"]["TrialsDimensions"] & ({
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period?: string;
            /** @description Trials that began in the range or period */
            readonly started: number;
            /** @description With `compare_to`: `started` of the comparison time */
            readonly previous_started?: number | null;
            /** @description With `compare_to`: `started` minus `previous_started` */
            readonly change_started?: number | null;
            /** @description Trials that have converted so far */
            readonly converted: number;
            /** @description With `compare_to`: `converted` of the comparison time */
            readonly previous_converted?: number | null;
            /** @description With `compare_to`: `converted` minus `previous_converted` */
            readonly change_converted?: number | null;
            /** @description Trials that ended without converting */
            readonly expired: number;
            /** @description With `compare_to`: `expired` of the comparison time */
            readonly previous_expired?: number | null;
            /** @description With `compare_to`: `expired` minus `previous_expired` */
            readonly change_expired?: number | null;
            /** @description Trials still open: started - converted - expired */
            readonly pending: number;
            /** @description With `compare_to`: `pending` of the comparison time */
            readonly previous_pending?: number | null;
            /** @description With `compare_to`: `pending` minus `previous_pending` */
            readonly change_pending?: number | null;
            /** @description Converted trials / started trials; null if none started */
            readonly conversion_rate: number | null;
            /** @description With `compare_to`: `conversion_rate` of the comparison time */
            readonly previous_conversion_rate?: number | null;
            /** @description With `compare_to`: `conversion_rate` minus `previous_conversion_rate` */
            readonly change_conversion_rate?: number | null;
            /** @description Converted trials / (converted + expired); null if no trial is decided */
            readonly decided_conversion_rate: number | null;
            /** @description With `compare_to`: `decided_conversion_rate` of the comparison time */
            readonly previous_decided_conversion_rate?: number | null;
            /** @description With `compare_to`: `decided_conversion_rate` minus `previous_decided_conversion_rate` */
            readonly change_decided_conversion_rate?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly TrialsTimeToConvertRow: components["schemas"]["TrialsDimensions"] & ({
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period?: string;
            /** @description Converted trials / all trials that began; null if none started */
            readonly conversion_rate: number | null;
            /** @description With `compare_to`: `conversion_rate` of the comparison time */
            readonly previous_conversion_rate?: number | null;
            /** @description With `compare_to`: `conversion_rate` minus `previous_conversion_rate` */
            readonly change_conversion_rate?: number | null;
            /** @description Trials that have converted so far */
            readonly converted: number;
            /** @description With `compare_to`: `converted` of the comparison time */
            readonly previous_converted?: number | null;
            /** @description With `compare_to`: `converted` minus `previous_converted` */
            readonly change_converted?: number | null;
            /** @description Mean of the days to the conversion; null if none converted */
            readonly average_days: number | null;
            /** @description With `compare_to`: `average_days` of the comparison time */
            readonly previous_average_days?: number | null;
            /** @description With `compare_to`: `average_days` minus `previous_average_days` */
            readonly change_average_days?: number | null;
            /** @description All trials that began in the range or period */
            readonly all_started: number;
            /** @description With `compare_to`: `all_started` of the comparison time */
            readonly previous_all_started?: number | null;
            /** @description With `compare_to`: `all_started` minus `previous_all_started` */
            readonly change_all_started?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly TrialsSeriesRow: components["schemas"]["TrialsDimensions"] & ({
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period: string;
            /** @description Trials that began in the range or period */
            readonly started: number;
            /** @description With `compare_to`: `started` of the comparison time */
            readonly previous_started?: number | null;
            /** @description With `compare_to`: `started` minus `previous_started` */
            readonly change_started?: number | null;
            /** @description Trials that have converted so far */
            readonly converted: number;
            /** @description With `compare_to`: `converted` of the comparison time */
            readonly previous_converted?: number | null;
            /** @description With `compare_to`: `converted` minus `previous_converted` */
            readonly change_converted?: number | null;
            /** @description Trials that ended without converting */
            readonly expired: number;
            /** @description With `compare_to`: `expired` of the comparison time */
            readonly previous_expired?: number | null;
            /** @description With `compare_to`: `expired` minus `previous_expired` */
            readonly change_expired?: number | null;
            /** @description Trials still open: started - converted - expired */
            readonly pending: number;
            /** @description With `compare_to`: `pending` of the comparison time */
            readonly previous_pending?: number | null;
            /** @description With `compare_to`: `pending` minus `previous_pending` */
            readonly change_pending?: number | null;
            /** @description Converted trials / started trials; null if none started */
            readonly conversion_rate: number | null;
            /** @description With `compare_to`: `conversion_rate` of the comparison time */
            readonly previous_conversion_rate?: number | null;
            /** @description With `compare_to`: `conversion_rate` minus `previous_conversion_rate` */
            readonly change_conversion_rate?: number | null;
            /** @description Converted trials / (converted + expired); null if no trial is decided */
            readonly decided_conversion_rate: number | null;
            /** @description With `compare_to`: `decided_conversion_rate` of the comparison time */
            readonly previous_decided_conversion_rate?: number | null;
            /** @description With `compare_to`: `decided_conversion_rate` minus `previous_decided_conversion_rate` */
            readonly change_decided_conversion_rate?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly UsageRevenueRow: components["schemas"]["UsageRevenueDimensions"] & ({
            /** @description Id of the customer account. */
            readonly customer_id?: string | null;
            /** @description Name of the customer. Names can repeat, so group by customer_id to keep customers apart. */
            readonly customer_name?: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period?: string;
            /** @description Paid usage in cents */
            readonly revenue: number;
            /** @description With `compare_to`: `revenue` of the comparison time */
            readonly previous_revenue?: number | null;
            /** @description With `compare_to`: `revenue` minus `previous_revenue` */
            readonly change_revenue?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        /** @description The dimensions that rows are grouped by. Each is present if the request asks for it. An attribute has the name `attr.X`. */
        readonly UsageRevenueDimensions: {
            /** @description Id of the segment. Only with `compare_segments` */
            readonly segment_id?: string;
            /** @description Type of the connector. */
            readonly source?: string | null;
            /** @description Id of the tenant of the billing engine. It stays the same if the tenant gets another name. */
            readonly source_id?: string | null;
            /** @description Name of the tenant of the billing engine. */
            readonly tenant?: string | null;
            /** @description Currency of the subscription or payment. If you group by it, amounts are in that currency. If you filter by it, they stay in the base currency. */
            readonly currency?: string | null;
            /** @description Country of the customer. */
            readonly customer_country?: string | null;
            /**
             * Format: date
             * @description Month in which the customer was first live; null if it never was.
             */
            readonly cohort_month?: string | null;
            /**
             * Format: date
             * @description Month in which the account was created.
             */
            readonly customer_created_month?: string | null;
            /** @description Full months from the creation of the account to the date of the figure or event. */
            readonly tenure_months?: number | null;
            /** @description Id of the plan. Price overrides count under the plan they override. */
            readonly plan_id?: string | null;
            /** @description Display name of the plan, or its id if it has none. */
            readonly plan_name?: string | null;
            /** @description Unit of the billing period: day, week, month or year; null if there is none. */
            readonly plan_interval?: string | null;
            /** @description Billing period as the billing engine names it. */
            readonly billing_period?: string | null;
            /** @description Pricing model of the plan: flat or usage_based. */
            readonly pricing_model?: string | null;
            /** @description Usage type of the plan: licensed or metered. */
            readonly usage_type?: string | null;
            /** @description Product of the plan. */
            readonly product_name?: string | null;
            /** @description Product category as the billing engine names it. */
            readonly product_category?: string | null;
            /** @description Price list of the subscription. */
            readonly price_list?: string | null;
            /** @description manual if the account is exempt from automatic payment now; otherwise automatic. */
            readonly collection_method?: string | null;
            /** @description Bundle of the subscription. */
            readonly bundle_id?: string | null;
        };
        readonly UsageRevenueSeriesRow: components["schemas"]["UsageRevenueDimensions"] & ({
            /** @description Id of the customer account. */
            readonly customer_id?: string | null;
            /** @description Name of the customer. Names can repeat, so group by customer_id to keep customers apart. */
            readonly customer_name?: string | null;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period: string;
            /** @description Paid usage in cents */
            readonly revenue: number;
            /** @description With `compare_to`: `revenue` of the comparison time */
            readonly previous_revenue?: number | null;
            /** @description With `compare_to`: `revenue` minus `previous_revenue` */
            readonly change_revenue?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        readonly UsageRevenueByCustomerRow: components["schemas"]["UsageRevenueDimensions"] & ({
            /** @description Id of the customer; null if is_rest */
            readonly customer_id: string | null;
            /** @description Name of the customer */
            readonly customer_name: string | null;
            /** @description With `rest`: true in the row that sums up all rows not shown */
            readonly is_rest?: boolean;
            /**
             * Format: date
             * @description First day of the period
             */
            readonly period?: string;
            /** @description Paid usage in cents */
            readonly revenue: number;
            /** @description With `compare_to`: `revenue` of the comparison time */
            readonly previous_revenue?: number | null;
            /** @description With `compare_to`: `revenue` minus `previous_revenue` */
            readonly change_revenue?: number | null;
            /** @description True if the period is not over yet; absent otherwise */
            readonly is_partial?: boolean;
        } & {
            readonly [key: string]: unknown;
        });
        /** @description A page of the rows behind a number */
        readonly CountedRowPage: {
            /** @description Total number of rows on all pages */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["CountedRow"][];
            /** @description The number whose rows these are */
            readonly measure: string;
            /** @description The number: what all rows add up to, in cents or as a count */
            readonly sum: number;
        };
        /** @description A row behind a number */
        readonly CountedRow: {
            /** @description Id of the customer */
            readonly customer_id: string;
            /** @description Name of the customer */
            readonly customer_name: string | null;
            /** @description Subscription; null for a customer or an invoice */
            readonly subscription_id: string | null;
            /** @description Plan after the change, or before it if the subscription ended */
            readonly plan_id: string | null;
            /** @description Kind of movement; null for other rows */
            readonly movement_type: string | null;
            /** @description Component of MRR that moved or counts: subscription or usage; null if both count */
            readonly movement_source: string | null;
            /**
             * Format: date-time
             * @description Instant of the movement, churn, payment or trial; null for a level
             */
            readonly occurred_at: string | null;
            /** @description Reason of the movement */
            readonly reason: string | null;
            /** @description Kind of churn: logo or revenue; null for rows that are no churn */
            readonly churn_type: string | null;
            /** @description Recorded reason of the cancellation; null for a pause, for an expiry and without a reason */
            readonly cancel_reason: string | null;
            /** @description Invoice, or charge of usage */
            readonly document_id: string | null;
            /** @description Currency of `amount_cents` */
            readonly currency: string | null;
            /** @description What the row counts, in cents of its currency; null where only base amounts are known */
            readonly amount_cents: number | null;
            /** @description What the row adds to `sum`, in base cents; null for counts and for amounts in other currencies */
            readonly amount_base_cents: number | null;
            /** @description Part of `amount_base_cents` that the exchange rate made, not the customer: the old amount at the rate of the movement, less its base amount until then; null for rows without a base amount */
            readonly rate_part_base_cents: number | null;
            /** @description What the row adds to `sum` if it is a count; 1 for amounts */
            readonly count: number;
            /** @description Exchange rate into the base currency; null if none was needed */
            readonly rate: string | null;
            /**
             * Format: date
             * @description Day of the exchange rate
             */
            readonly rate_day: string | null;
            /** @description Plan just before */
            readonly plan_before: string | null;
            /** @description Plan from then on */
            readonly plan_after: string | null;
            /** @description State just before: trialing, active or paused; null if the subscription did not exist */
            readonly status_before: string | null;
            /** @description State from then on; null if the subscription has ended */
            readonly status_after: string | null;
            /** @description Quantity just before */
            readonly quantity_before: number | null;
            /** @description Quantity from then on */
            readonly quantity_after: number | null;
            /** @description MRR just before, in cents of the currency */
            readonly mrr_before_cents: number | null;
            /** @description MRR from then on, in cents of the currency */
            readonly mrr_after_cents: number | null;
            /** @description Usage part of `mrr_before_cents` */
            readonly usage_mrr_before_cents: number | null;
            /** @description Usage part of `mrr_after_cents` */
            readonly usage_mrr_after_cents: number | null;
            /** @description Recurring price of one unit and month just before, rounded to a cent of the currency */
            readonly unit_price_before_cents: number | null;
            /** @description Recurring price of one unit and month from then on, rounded to a cent of the currency */
            readonly unit_price_after_cents: number | null;
            /**
             * Format: date-time
             * @description Start of the state after this row
             */
            readonly valid_from: string | null;
            /**
             * Format: date-time
             * @description End of the state after this row; null if it was still valid at the end of the requested range
             */
            readonly valid_to: string | null;
            /** @description Page of the invoice or else of the customer in the billing system; null if the connector has no address for it */
            readonly admin_url: string | null;
            /** @description The usage part in words, with the months from which it is derived; null if the row counts none, and in files */
            readonly usage_note: string | null;
            /** @description Rows of the billing database that made this row; absent in files and if the connector finds none */
            readonly evidence?: readonly components["schemas"]["Evidence"][];
            /** @description With `bridge_step`: what the row adds to the figure before the step */
            readonly before?: number;
            /** @description With `bridge_step`: what it adds after the step */
            readonly after?: number;
            /** @description With `bridge_step`: after less before */
            readonly difference?: number;
        };
        /** @description A row of the billing database */
        readonly Evidence: {
            /** @description Table of the billing database */
            readonly table: string;
            /** @description Its record number there; null if the billing engine has none, and the row has an id */
            readonly record_id: number | null;
            /** @description Its id there; null if it is not read */
            readonly id: string | null;
            /**
             * Format: date-time
             * @description Instant that it is about
             */
            readonly occurred_at: string | null;
            /** @description What it says, in words */
            readonly note: string;
        };
        /** @description A single value, an object of values, or rows. It has the shape that the GET endpoint of the same query returns */
        readonly MetricAnswer: number | components["schemas"]["AnswerRow"] | readonly components["schemas"]["AnswerRow"][] | null;
        /** @description A row of a result: a value per column */
        readonly AnswerRow: {
            readonly [key: string]: string | number | boolean | null;
        };
        /** @description A query of a metric */
        readonly MetricQuery: {
            /** @description `query_type` and the single-valued parameters of the GET endpoint. `segment` can be here or in `spec` */
            readonly params?: {
                readonly [key: string]: string | number | boolean | null;
            };
            readonly spec?: components["schemas"]["QuerySpec"];
        };
        /** @description Dimensions, filters, dates and segments of the query */
        readonly QuerySpec: {
            /** @description First day of the range, inclusive. Last day of the range, inclusive. */
            readonly time_range?: readonly string[];
            /**
             * @description One row per period of this length. Same as interval, where the endpoint has interval.
             * @enum {string}
             */
            readonly granularity?: "day" | "week" | "month" | "quarter" | "year";
            /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
            readonly dimensions?: readonly string[];
            /** @description `name: value`, `name: [values]` (any of) or `name: {operator: value}` (all hold) */
            readonly filters?: {
                readonly [key: string]: string | number | boolean | readonly (string | number | boolean)[] | {
                    readonly [key: string]: unknown;
                };
            };
            /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
            readonly segment?: string;
            /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
            readonly compare?: readonly string[];
        };
        readonly CustomerPage: {
            /** @description Total number of rows on all pages */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["Customer"][];
        };
        /** @description The current state of a customer */
        readonly Customer: {
            /** @description Id of the account */
            readonly id: string;
            /** @description Id of the tenant of the engine */
            readonly source_id: string;
            /** @description Name of the tenant */
            readonly tenant: string;
            readonly external_key: string | null;
            readonly name: string | null;
            readonly email: string | null;
            readonly country: string | null;
            readonly currency: string | null;
            /** @enum {string} */
            readonly status: "active" | "free" | "paused" | "trialing" | "churned" | "lead";
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly first_active_at: string | null;
            /**
             * Format: date-time
             * @description Last logo churn of a customer that is not live now
             */
            readonly churned_at: string | null;
            /**
             * Format: date
             * @description Month of first_active_at
             */
            readonly cohort_month: string | null;
            readonly live_subscriptions: number;
            /** @description MRR in cents of the currency; null if a price is missing */
            readonly mrr_cents: number | null;
            /** @description MRR in base cents; null if a price or an exchange rate is missing */
            readonly mrr_base_cents: number | null;
        };
        readonly SubscriptionPage: {
            /** @description Total number of rows on all pages */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["Subscription"][];
        };
        /** @description The current state of a subscription */
        readonly Subscription: {
            readonly id: string;
            /** @description Id of the tenant of the engine */
            readonly source_id: string;
            /** @description Name of the tenant */
            readonly tenant: string;
            readonly external_key: string | null;
            readonly bundle_id: string | null;
            readonly bundle_external_key: string | null;
            readonly customer_id: string;
            readonly customer_name: string | null;
            /** @enum {string} */
            readonly status: "pending" | "trialing" | "active" | "paused" | "canceled";
            readonly plan_id: string | null;
            readonly plan_name: string | null;
            readonly plan_interval: string | null;
            readonly billing_period: string | null;
            readonly product_name: string | null;
            readonly product_category: string | null;
            readonly price_list: string | null;
            readonly phase_type: string | null;
            readonly collection_method: string | null;
            readonly quantity: number;
            readonly currency: string | null;
            /** @description MRR in cents of the currency, usage included; null if the price is missing */
            readonly mrr_cents: number | null;
            /** @description MRR in base cents, usage included; null if the price or an exchange rate is missing */
            readonly mrr_base_cents: number | null;
            /** @description Its usage component in base cents */
            readonly usage_mrr_base_cents: number | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly started_at: string;
            /** Format: date-time */
            readonly trial_start: string | null;
            /**
             * Format: date-time
             * @description When the trial ended, else when it is to end
             */
            readonly trial_end: string | null;
            /** Format: date */
            readonly charged_through: string | null;
            readonly pending_cancellation: boolean;
            /**
             * Format: date-time
             * @description When a requested cancellation is to take effect
             */
            readonly cancel_at: string | null;
            /**
             * Format: date-time
             * @description When the cancellation was requested
             */
            readonly canceled_at: string | null;
            /** Format: date-time */
            readonly ended_at: string | null;
            readonly cancel_reason: string | null;
        };
        readonly InvoicePage: {
            /** @description Total number of rows on all pages */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["Invoice"][];
        };
        /** @description The current state of an invoice */
        readonly Invoice: {
            readonly id: string;
            /** @description Id of the tenant of the engine */
            readonly source_id: string;
            /** @description Name of the tenant */
            readonly tenant: string;
            readonly number: string | null;
            readonly customer_id: string;
            readonly customer_name: string | null;
            readonly subscription_ids: readonly string[];
            /** @enum {string} */
            readonly status: "draft" | "void" | "paid" | "uncollectible" | "open";
            readonly currency: string;
            /** Format: date */
            readonly invoice_date: string;
            /** Format: date-time */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description When it was settled
             */
            readonly paid_at: string | null;
            /** Format: date-time */
            readonly voided_at: string | null;
            /** @description total_cents without tax */
            readonly subtotal_cents: number;
            /** @description Taxes in total_cents */
            readonly tax_cents: number;
            /** @description Charged amount */
            readonly total_cents: number;
            /** @description Usage in total_cents */
            readonly usage_cents: number;
            /** @description Payments less refunds and chargebacks */
            readonly amount_paid_cents: number;
            /** @description Open amount */
            readonly balance_cents: number;
            /** @description total_cents in base cents; null if the exchange rate is missing */
            readonly total_base_cents: number | null;
            /** @description balance_cents in base cents, at the same rate; null if the exchange rate is missing */
            readonly balance_base_cents: number | null;
            /** @description Days since invoice_date; null unless the invoice is open (D90) */
            readonly days_open: number | null;
            /**
             * @description Class of days_open; null unless the invoice is open (D90)
             * @enum {string|null}
             */
            readonly age: "0-30" | "31-60" | "61-90" | "over-90" | null;
        };
        /** @description The open invoices of one age */
        readonly InvoiceAge: {
            /**
             * @description Days since invoice_date
             * @enum {string}
             */
            readonly age: "0-30" | "31-60" | "61-90" | "over-90";
            /** @description Number of open invoices */
            readonly invoices: number;
            /** @description Sum of their open amounts in base cents; null if an exchange rate is missing */
            readonly balance_base_cents: number | null;
        };
        /** @description A page of renewals */
        readonly RenewalPage: {
            /** @description Total number of rows on all pages */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["Renewal"][];
            /** @description Each month of the range, also without renewals */
            readonly months: readonly components["schemas"]["RenewalMonth"][];
        };
        /** @description A subscription that renews */
        readonly Renewal: {
            /**
             * Format: date
             * @description First day of the next term, a local day of the customer
             */
            readonly renews_on: string;
            /**
             * @description What ends: a billed period, or a fixed term
             * @enum {string}
             */
            readonly ends: "period" | "fixed_term";
            /**
             * @description contract: a fixed term, or a billed period of more than a month; monthly: all others
             * @enum {string}
             */
            readonly term: "contract" | "monthly";
            readonly customer_id: string;
            readonly customer_name: string | null;
            /** @description Id of the tenant of the engine */
            readonly source_id: string;
            readonly tenant: string | null;
            readonly subscription_id: string;
            /** @description Plan from the renewal on */
            readonly plan_id: string | null;
            /** @description Billing period from the renewal on, in the words of the engine */
            readonly billing_period: string | null;
            readonly quantity: number;
            readonly currency: string | null;
            /** @description MRR from the renewal on, in cents of the currency, without usage; null if the price is missing */
            readonly mrr_cents: number | null;
            /** @description MRR from the renewal on, in base cents; null if a price or an exchange rate is missing */
            readonly mrr_base_cents: number | null;
            /** @description The customer's page in the billing system; null if the connector has no address for it */
            readonly admin_url: string | null;
        };
        /** @description The renewals of a month */
        readonly RenewalMonth: {
            /**
             * Format: date
             * @description First day of the month
             */
            readonly month: string;
            readonly renewals: number;
            /** @description MRR from the renewal on, in base cents; null if a price or an exchange rate is missing */
            readonly mrr_base_cents: number | null;
            /** @description Renewals of contracts */
            readonly contracts: number;
            /** @description MRR from the renewal on, in base cents; null if a price or an exchange rate is missing; of contracts */
            readonly contract_mrr_base_cents: number | null;
        };
        /** @description A page of charges to come */
        readonly BillingPage: {
            /** @description Total number of rows on all pages */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["Billing"][];
            /** @description Each month, currency and kind with charges */
            readonly months: readonly components["schemas"]["BillingMonth"][];
        };
        /** @description A charge that the billing engine will make */
        readonly Billing: {
            /**
             * Format: date
             * @description Day on which the engine makes the charge, a local day of the customer
             */
            readonly billed_on: string;
            /**
             * @description recurring: the recurring price of a period or of a part of it; fixed: the price of the start of a phase; usage: usage of a month, estimated; repair: what is given back of days that are billed already
             * @enum {string}
             */
            readonly kind: "recurring" | "fixed" | "usage" | "repair";
            /** @description True for usage: the mean of the last three months with paid usage goes on */
            readonly is_estimate: boolean;
            /** @description True for a part of a period */
            readonly is_partial: boolean;
            readonly customer_id: string;
            readonly customer_name: string | null;
            /** @description Id of the tenant of the engine */
            readonly source_id: string;
            readonly tenant: string | null;
            readonly subscription_id: string;
            /** @description Plan of the charge */
            readonly plan_id: string | null;
            readonly quantity: number;
            readonly currency: string;
            /**
             * Format: date
             * @description First day that is charged
             */
            readonly starts_on: string;
            /**
             * Format: date
             * @description Day after the last day that is charged; null for the price of the start of a phase
             */
            readonly ends_on: string | null;
            /** @description In cents of the currency */
            readonly amount_cents: number;
            /** @description In base cents, at the rate of yesterday; null if the exchange rate is missing */
            readonly amount_base_cents: number | null;
            /** @description The customer's page in the billing system; null if the connector has no address for it */
            readonly admin_url: string | null;
        };
        /** @description The charges to come of a month, a currency and a kind */
        readonly BillingMonth: {
            /**
             * Format: date
             * @description First day of the month in which the charges are made
             */
            readonly month: string;
            readonly currency: string;
            /**
             * @description recurring: the recurring price of a period or of a part of it; fixed: the price of the start of a phase; usage: usage of a month, estimated; repair: what is given back of days that are billed already
             * @enum {string}
             */
            readonly kind: "recurring" | "fixed" | "usage" | "repair";
            /** @description True for usage: the mean of the last three months with paid usage goes on */
            readonly is_estimate: boolean;
            /** @description Number of charges */
            readonly charges: number;
            /** @description Sum in cents of the currency */
            readonly amount_cents: number;
            /** @description In base cents, at the rate of yesterday; null if the exchange rate is missing */
            readonly amount_base_cents: number | null;
        };
        /** @description A page of open invoices */
        readonly OpenInvoicePage: {
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["OpenInvoice"][];
        };
        /** @description An invoice that was open at the end of a day */
        readonly OpenInvoice: {
            /** @description Null for a part that a parent account took over and that belongs to no open invoice */
            readonly invoice_id: string | null;
            readonly number: string | null;
            readonly customer_id: string;
            readonly customer_name: string | null;
            /** @description Id of the tenant of the engine */
            readonly source_id: string;
            readonly tenant: string | null;
            readonly currency: string;
            /**
             * Format: date
             * @description The later of the day of the invoice and the day on which it became final
             */
            readonly issued_on: string;
            /**
             * Format: date
             * @description Due day of the billing engine, else `net_terms` days after the issue
             */
            readonly due_on: string;
            /** @description Negative before the due day */
            readonly days_past_due: number;
            /** @description current, 1-30, 31-60, 61-90 or over-90, or as `buckets` says */
            readonly age: string;
            /** @description Items that were posted by the day, less what a parent account took over */
            readonly total_cents: number;
            /** @description Payments by the day, less refunds and chargebacks */
            readonly paid_cents: number;
            /** @description Open balance at the end of the day */
            readonly balance_cents: number;
            /** @description Part of the balance that refunds and chargebacks opened again */
            readonly reopened_cents: number;
            /** @description Open balance in base cents, at the rate of the issue or of the day as `receivables_rate` says; null without that rate */
            readonly balance_base_cents: number | null;
            /** @description The customer's page in the billing system; null if the connector has no address for it */
            readonly admin_url: string | null;
        };
        /** @description A recognition schedule */
        readonly SchedulePage: {
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["ScheduleMonth"][];
            readonly versions: readonly components["schemas"]["ChargeVersion"][];
        };
        /** @description Revenue of a charge in a month */
        readonly ScheduleMonth: {
            /** @description Id of the item, or of an adjustment whose charge is not in the books */
            readonly charge_id: string;
            readonly invoice_id: string | null;
            /** @description Number of the invoice */
            readonly number: string | null;
            readonly customer_id: string;
            readonly customer_name: string | null;
            /** @description Id of the tenant of the engine */
            readonly source_id: string;
            readonly tenant: string | null;
            readonly subscription_id: string | null;
            readonly plan: string | null;
            /** @enum {string} */
            readonly kind: "recurring" | "usage" | "fixed" | "one_off";
            readonly currency: string;
            /** Format: date */
            readonly posted_on: string;
            /**
             * Format: date
             * @description First service day, as the item states it; null if it states none
             */
            readonly starts_on: string | null;
            /**
             * Format: date
             * @description Day after the last service day, as the item states it
             */
            readonly ends_on: string | null;
            /** @description The charge without its adjustments */
            readonly charged_cents: number;
            /**
             * Format: date
             * @description First day of the month
             */
            readonly month: string;
            /** @description The charge with the adjustments that are known at the end of the month */
            readonly net_cents: number;
            /** @description Kept service days up to the end of the month; with `spread=month` months that have begun */
            readonly done: number;
            /** @description All kept service days or months; 0 if everything is recognized at once */
            readonly whole: number;
            /** @description Recognized in the month */
            readonly recognized_cents: number;
            /** @description Recognized up to the end of the month: net × done / whole */
            readonly recognized_so_far_cents: number;
            /** @description Posted and not recognized at the end of the month */
            readonly deferred_cents: number;
            /** @description Recognized and not posted at the end of the month */
            readonly unbilled_cents: number;
        };
        /** @description A charge with the adjustments that are known on some days */
        readonly ChargeVersion: {
            readonly charge_id: string;
            readonly currency: string;
            /**
             * Format: date
             * @description First day on which the books know the charge like this
             */
            readonly known_from: string;
            /**
             * Format: date
             * @description Day from which on they know it otherwise
             */
            readonly known_to: string | null;
            /** @description The charge with the adjustments that are known on these days */
            readonly net_cents: number;
            /** @description Kept service days, or with `spread=month` months; 0 if everything is recognized at once */
            readonly whole: number;
            /** @description Stretches of kept service days */
            readonly kept: readonly {
                /** Format: date */
                readonly starts_on: string;
                /**
                 * Format: date
                 * @description Day after the last one
                 */
                readonly ends_on: string;
            }[];
        };
        /** @description A line of a journal entry. The lines of an entry have equal debit and credit */
        readonly JournalLine: {
            /** @description Id of the entry. It stays the same, so a second import can be told */
            readonly entry: string;
            /** Format: date */
            readonly date: string;
            /** @enum {string} */
            readonly kind: "billing" | "recognition" | "unbilled" | "credit" | "payment" | "refund" | "chargeback" | "write_off" | "void" | "transfer" | "fx";
            /** @enum {string} */
            readonly account: "accounts_receivable" | "unbilled_receivables" | "cash" | "bad_debt" | "credits_granted" | "deferred_revenue" | "revenue" | "other_income" | "tax_payable" | "customer_credits" | "suspense" | "fx_difference";
            /** @description Name or code in `[ledger.accounts]`, else our name */
            readonly account_name: string;
            readonly currency: string;
            /** @description Debit */
            readonly debit_cents: number;
            /** @description Credit */
            readonly credit_cents: number;
            readonly memo: string;
            /** @description Null if the entry is a sum */
            readonly customer_id: string | null;
            readonly customer_name: string | null;
            readonly invoice_id: string | null;
        };
        /** @description A customer with its subscriptions and attributes */
        readonly CustomerDetail: {
            /** @description Id of the account */
            readonly id: string;
            /** @description Id of the tenant of the engine */
            readonly source_id: string;
            /** @description Name of the tenant */
            readonly tenant: string;
            readonly external_key: string | null;
            readonly name: string | null;
            readonly email: string | null;
            readonly country: string | null;
            readonly currency: string | null;
            /** @enum {string} */
            readonly status: "active" | "free" | "paused" | "trialing" | "churned" | "lead";
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly first_active_at: string | null;
            /**
             * Format: date-time
             * @description Last logo churn of a customer that is not live now
             */
            readonly churned_at: string | null;
            /**
             * Format: date
             * @description Month of first_active_at
             */
            readonly cohort_month: string | null;
            readonly live_subscriptions: number;
            /** @description MRR in cents of the currency; null if a price is missing */
            readonly mrr_cents: number | null;
            /** @description MRR in base cents; null if a price or an exchange rate is missing */
            readonly mrr_base_cents: number | null;
            /**
             * Format: uri
             * @description Page of the customer in the billing engine's own admin pages; null unless the configuration names their address
             */
            readonly admin_url: string | null;
            /** @description All subscriptions, the newest start first */
            readonly subscriptions: readonly components["schemas"]["Subscription"][];
            /** @description Attributes by key */
            readonly attributes: {
                readonly [key: string]: string | number | boolean | null;
            };
        };
        /** @description What customers agreed to, compared with what the billing engine charged */
        readonly BillingHealth: {
            /** Format: date */
            readonly start: string;
            /** Format: date */
            readonly end: string;
            readonly base_currency: string;
            /** @description Agreed amount of these days, in base cents; null if the exchange rate is missing */
            readonly agreed_base_cents: number | null;
            /** @description Billed amount of these days, in base cents; null if the exchange rate is missing */
            readonly billed_base_cents: number | null;
            /** @description Agreed less billed: positive if too little is billed, in base cents; null if the exchange rate is missing */
            readonly difference_base_cents: number | null;
            /** @description Difference of a month from now on, in base cents; null if the exchange rate is missing */
            readonly monthly_base_cents: number | null;
            /** @description Sum of the findings without their sign: the amount of a month if open, else that of the days, in base cents; null if the exchange rate is missing */
            readonly at_stake_base_cents: number | null;
            /** @description Billed amount of days on which an overdue state stops the service, which is in no other sum, in base cents; null if the exchange rate is missing */
            readonly overdue_block_base_cents: number | null;
            /** @description Such days of subscriptions */
            readonly overdue_block_days: number;
            /** @description Amount of a month of the open findings that bill too little, in base cents; null if the exchange rate is missing */
            readonly monthly_unbilled_base_cents: number | null;
            /** @description Days on which a subscription runs or is billed */
            readonly subscription_days: number;
            /** @description Days on which the billed amount is the agreed amount */
            readonly healthy_days: number;
            /** @description Days that cannot be compared, because a price is unknown */
            readonly unpriced_days: number;
            /** @description Subscriptions with such days */
            readonly unpriced_subscriptions: number;
            /** @description Days of periods that are billed after their end, which has not come */
            readonly not_due_days: number;
            /** @description Findings that are marked as seen, which are in all sums */
            readonly seen: number;
            readonly marked: components["schemas"]["BillingHealthMarked"];
            /** @description Classes with findings, the largest monthly amount first */
            readonly classes: readonly components["schemas"]["BillingHealthClass"][];
        };
        /** @description Findings that are marked as no error, which are in no other sum */
        readonly BillingHealthMarked: {
            /** @description Findings that are marked as no error */
            readonly findings: number;
            /** @description Days of subscriptions */
            readonly days: number;
            /** @description Agreed amount of these days, in base cents; null if the exchange rate is missing */
            readonly agreed_base_cents: number | null;
            /** @description Billed amount of these days, in base cents; null if the exchange rate is missing */
            readonly billed_base_cents: number | null;
            /** @description Agreed less billed: positive if too little is billed, in base cents; null if the exchange rate is missing */
            readonly difference_base_cents: number | null;
            /** @description Difference of a month from now on, in base cents; null if the exchange rate is missing */
            readonly monthly_base_cents: number | null;
            /** @description Sum of the findings without their sign: the amount of a month if open, else that of the days, in base cents; null if the exchange rate is missing */
            readonly at_stake_base_cents: number | null;
            /** @description Amount of a month of the open findings that bill too little, in base cents; null if the exchange rate is missing */
            readonly monthly_unbilled_base_cents: number | null;
        };
        /** @description The findings of one class */
        readonly BillingHealthClass: {
            /** @enum {string} */
            readonly class: "double_billed" | "stuck_draft" | "invoicing_failed" | "account_parked" | "overdue_block" | "invoicing_off" | "transferred" | "quantity_reverted" | "price_change_lost" | "not_billed" | "billed_after_end" | "price_differs" | "quantity_differs" | "other";
            /** @description Findings */
            readonly findings: number;
            /** @description Subscriptions with findings */
            readonly subscriptions: number;
            /** @description Customers with findings */
            readonly customers: number;
            /** @description Days of subscriptions */
            readonly days: number;
            /** @description Agreed amount of these days, in base cents; null if the exchange rate is missing */
            readonly agreed_base_cents: number | null;
            /** @description Billed amount of these days, in base cents; null if the exchange rate is missing */
            readonly billed_base_cents: number | null;
            /** @description Agreed less billed: positive if too little is billed, in base cents; null if the exchange rate is missing */
            readonly difference_base_cents: number | null;
            /** @description Difference of a month from now on, in base cents; null if the exchange rate is missing */
            readonly monthly_base_cents: number | null;
            /** @description Sum of the findings without their sign: the amount of a month if open, else that of the days, in base cents; null if the exchange rate is missing */
            readonly at_stake_base_cents: number | null;
            /** @description Findings of the class that are marked as seen, which are in all sums */
            readonly seen: number;
        };
        readonly BillingFindingPage: {
            /** @description Total number of rows on all pages */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["BillingFinding"][];
        };
        /** @description A subscription that is billed otherwise than agreed */
        readonly BillingFinding: {
            readonly customer_id: string;
            readonly customer_name: string | null;
            /** @description Id of the tenant of the engine */
            readonly source_id: string;
            readonly tenant: string | null;
            readonly subscription_id: string;
            readonly plan_id: string | null;
            /** @enum {string} */
            readonly class: "double_billed" | "stuck_draft" | "invoicing_failed" | "account_parked" | "overdue_block" | "invoicing_off" | "transferred" | "quantity_reverted" | "price_change_lost" | "not_billed" | "billed_after_end" | "price_differs" | "quantity_differs" | "other";
            /**
             * Format: date
             * @description First day, local to the account
             */
            readonly first_day: string;
            /**
             * Format: date
             * @description Last day
             */
            readonly last_day: string;
            /**
             * Format: date
             * @description Day since which the amounts of the last day hold, which may be before the range
             */
            readonly began_on: string;
            /** @description True if the last day is yesterday */
            readonly is_open: boolean;
            /** @description Number of days, which may have gaps */
            readonly days: number;
            readonly currency: string;
            /** @description Agreed amount of these days */
            readonly agreed_cents: number;
            /** @description Billed amount of these days */
            readonly billed_cents: number;
            /** @description Agreed amount of these days, in base cents; null if the exchange rate is missing */
            readonly agreed_base_cents: number | null;
            /** @description Billed amount of these days, in base cents; null if the exchange rate is missing */
            readonly billed_base_cents: number | null;
            /** @description Agreed less billed: positive if too little is billed, in base cents; null if the exchange rate is missing */
            readonly difference_base_cents: number | null;
            /** @description Difference of a month from now on, in base cents; null if the exchange rate is missing */
            readonly monthly_base_cents: number | null;
            /** @enum {string} */
            readonly confidence: "certain" | "likely";
            /** @description Why the class is certain or only likely */
            readonly reason: string;
            readonly sentence: string;
            /** @description What an operator can do in the billing engine */
            readonly remedy: string;
            /** @description The customer's page in the billing system; null if the connector has no address for it */
            readonly admin_url: string | null;
            readonly evidence: readonly components["schemas"]["Evidence"][];
            /** @description Mark of a person; null without one */
            readonly mark: {
                readonly id: string;
                /** @enum {string} */
                readonly state: "seen" | "no_error";
                readonly note: string | null;
                /** @description `key:<id>` or `oidc:<subject>`. Null if the author was not signed in */
                readonly author: string | null;
                /**
                 * Format: date
                 * @description Day of the mark in UTC
                 */
                readonly marked_on: string;
                /** @description Amount of a month on that day, in base cents; null if it was unknown */
                readonly monthly_base_cents: number | null;
                /** @description Open amount of a notice on that day, in base cents; null if it was unknown */
                readonly amount_base_cents: number | null;
                /** @description True if one of these amounts is now more than half as large again */
                readonly has_grown: boolean;
            } | null;
        };
        /** @description A page of notices */
        readonly BillingNoticePage: {
            /** @description Total number of rows on all pages */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["BillingNotice"][];
            /** @description The sums of each list, also of those without rows */
            readonly lists: readonly components["schemas"]["BillingNoticeList"][];
        };
        /** @description Something about billing that a person must look at */
        readonly BillingNotice: {
            /** @enum {string} */
            readonly kind: "addon_without_entitlement" | "mrr_at_risk" | "silent_account" | "without_price" | "usage_not_invoiced" | "never_attempted" | "child_not_on_parent" | "child_credit_on_parent" | "child_void_on_parent" | "below_list_price";
            readonly customer_id: string;
            /** @description Name of the customer */
            readonly customer_name: string | null;
            /** @description Id of the tenant of the engine */
            readonly source_id: string;
            /** @description Name of the tenant */
            readonly tenant: string | null;
            /** @description Subscription; null for a customer or an invoice */
            readonly subscription_id: string | null;
            /** @description Plan of the subscription */
            readonly plan_id: string | null;
            /** @description Invoice; null for a customer or a subscription */
            readonly invoice_id: string | null;
            /** @description Number of the invoice */
            readonly invoice_number: string | null;
            /**
             * Format: date
             * @description Day since which it holds; null if it is unknown
             */
            readonly since: string | null;
            /** @description Currency of the amounts */
            readonly currency: string | null;
            /** @description Open amount, once; null if a price, the amount or an exchange rate is unknown */
            readonly amount_cents: number | null;
            /** @description Open amount in base cents; null if a price, the amount or an exchange rate is unknown */
            readonly amount_base_cents: number | null;
            /** @description Amount of a month that it concerns; null if a price, the amount or an exchange rate is unknown */
            readonly monthly_cents: number | null;
            /** @description Amount of a month in base cents; null if a price, the amount or an exchange rate is unknown */
            readonly monthly_base_cents: number | null;
            readonly sentence: string;
            /** @description What an operator can do in the billing engine */
            readonly remedy: string;
            /** @description The customer's page in the billing system; null if the connector has no address for it */
            readonly admin_url: string | null;
            /** @description Mark of a person; null without one */
            readonly mark: {
                readonly id: string;
                /** @enum {string} */
                readonly state: "seen" | "no_error";
                readonly note: string | null;
                /** @description `key:<id>` or `oidc:<subject>`. Null if the author was not signed in */
                readonly author: string | null;
                /**
                 * Format: date
                 * @description Day of the mark in UTC
                 */
                readonly marked_on: string;
                /** @description Amount of a month on that day, in base cents; null if it was unknown */
                readonly monthly_base_cents: number | null;
                /** @description Open amount of a notice on that day, in base cents; null if it was unknown */
                readonly amount_base_cents: number | null;
                /** @description True if one of these amounts is now more than half as large again */
                readonly has_grown: boolean;
            } | null;
        };
        /** @description The sums of one list of notices */
        readonly BillingNoticeList: {
            /** @enum {string} */
            readonly kind: "addon_without_entitlement" | "mrr_at_risk" | "silent_account" | "without_price" | "usage_not_invoiced" | "never_attempted" | "child_not_on_parent" | "child_credit_on_parent" | "child_void_on_parent" | "below_list_price";
            readonly description: string;
            /** @description Rows of the list without those marked as no error; null if they are not known */
            readonly count: number | null;
            /** @description Open amounts of these rows, in base cents; null if one is unknown */
            readonly amount_base_cents: number | null;
            /** @description Amounts of a month of these rows, in base cents; null if one is unknown */
            readonly monthly_base_cents: number | null;
            /** @description Those of them that are marked as seen */
            readonly seen: number;
            readonly marked: components["schemas"]["BillingNoticesMarked"];
        };
        /** @description Rows that are marked as no error, which are in no other sum */
        readonly BillingNoticesMarked: {
            readonly count: number;
            /** @description Open amounts, in base cents; null if one is unknown */
            readonly amount_base_cents: number | null;
            /** @description Amounts of a month, in base cents; null if one is unknown */
            readonly monthly_base_cents: number | null;
        };
        /** @description A mark of a person on a finding or notice of billing health */
        readonly FindingMark: {
            readonly id: string;
            /**
             * @description Class of the finding, or kind of the notice
             * @enum {string}
             */
            readonly kind: "double_billed" | "stuck_draft" | "invoicing_failed" | "account_parked" | "overdue_block" | "invoicing_off" | "transferred" | "quantity_reverted" | "price_change_lost" | "not_billed" | "billed_after_end" | "price_differs" | "quantity_differs" | "other" | "addon_without_entitlement" | "mrr_at_risk" | "silent_account" | "without_price" | "usage_not_invoiced" | "never_attempted" | "child_not_on_parent" | "child_credit_on_parent" | "child_void_on_parent" | "below_list_price";
            readonly source_id: string;
            readonly customer_id: string;
            /** @description Null for a notice about a customer or an invoice */
            readonly subscription_id: string | null;
            /** @description Null if it is not about an invoice */
            readonly invoice_id: string | null;
            /**
             * @description `no_error` takes the finding out of the sums, `seen` does not
             * @enum {string}
             */
            readonly state: "seen" | "no_error";
            readonly note: string | null;
            /** @description `key:<id>` or `oidc:<subject>`. Null if the author was not signed in */
            readonly author: string | null;
            /** Format: date-time */
            readonly created_at: string;
            readonly base_currency: string;
            /** @description Amount of a month when it was marked, in base cents; null if it was unknown */
            readonly monthly_base_cents: number | null;
            /** @description Open amount of the notice when it was marked, in base cents; null if it was unknown */
            readonly amount_base_cents: number | null;
        };
        readonly NewFindingMark: {
            /**
             * @description Class of the finding, or kind of the notice
             * @enum {string}
             */
            readonly kind: "double_billed" | "stuck_draft" | "invoicing_failed" | "account_parked" | "overdue_block" | "invoicing_off" | "transferred" | "quantity_reverted" | "price_change_lost" | "not_billed" | "billed_after_end" | "price_differs" | "quantity_differs" | "other" | "addon_without_entitlement" | "mrr_at_risk" | "silent_account" | "without_price" | "usage_not_invoiced" | "never_attempted" | "child_not_on_parent" | "child_credit_on_parent" | "child_void_on_parent" | "below_list_price";
            /** @description Id of the tenant of the engine */
            readonly source_id?: string | null;
            readonly customer_id?: string | null;
            readonly subscription_id?: string | null;
            readonly invoice_id?: string | null;
            /**
             * @description `no_error` takes the finding out of the sums, `seen` does not
             * @enum {string}
             */
            readonly state: "seen" | "no_error";
            /** @description Why, in words */
            readonly note?: string | null;
        };
        readonly Deleted: {
            /** @enum {string} */
            readonly status: "deleted";
        };
        /** @description A field that conditions of segments can use */
        readonly SegmentField: {
            /** @description Name of the field in conditions */
            readonly field: string;
            /** @description Display name */
            readonly label: string;
            /** @enum {string} */
            readonly type: "string" | "number" | "boolean" | "date" | "timestamp";
            readonly operators: readonly string[];
            /** @description All values if they are few and fixed. Otherwise some values that several customers share. Never names, addresses or ids */
            readonly examples: readonly (string | number | boolean)[];
            /** @description Metrics that support segments with this field */
            readonly metrics: readonly string[];
        };
        /** @description All problems of a segment definition */
        readonly SegmentVerdict: {
            readonly valid: boolean;
            /** @description Messages. Each begins with the path of the problem */
            readonly errors: readonly string[];
            /** @description Messages by metric. Empty if the shape of the definition is wrong */
            readonly errors_by_metric: {
                readonly [key: string]: readonly string[];
            };
            /** @description Values that no row has. A definition with warnings is valid */
            readonly warnings: readonly string[];
        };
        /** @description The conditions that a customer of the segment matches */
        readonly SegmentDefinition: {
            /** @enum {number} */
            readonly version?: 1;
            readonly root: components["schemas"]["SegmentGroup"];
        };
        /** @description Conditions and groups: all (`and`) or at least one (`or`) must hold */
        readonly SegmentGroup: {
            /** @enum {string} */
            readonly op: "and" | "or";
            /** @description Groups can be nested up to 20 levels deep */
            readonly conditions: readonly (components["schemas"]["SegmentCondition"] | components["schemas"]["SegmentGroup"])[];
        };
        /** @description A condition on one field */
        readonly SegmentCondition: {
            /** @description Field name, or `attr.X` for an attribute */
            readonly field: string;
            /**
             * @description The type of the field decides which operators apply
             * @enum {string}
             */
            readonly op: "=" | "!=" | "in" | "not in" | "contains" | "not_contains" | "starts_with" | "ends_with" | "is_empty" | "is_not_empty" | ">" | ">=" | "<" | "<=" | "between";
            /** @description A list for `in` and `not in`, two values for `between`, no value for `is_empty` and `is_not_empty` */
            readonly value?: string | number | boolean | readonly (string | number | boolean)[] | null;
        };
        readonly SegmentForMetric: {
            readonly definition: components["schemas"]["SegmentDefinition"];
            readonly metric?: string | null;
        };
        /** @description A saved group of customers */
        readonly Segment: {
            readonly id: string;
            /** @description Unique name. No leading or trailing spaces */
            readonly name: string;
            readonly description: string | null;
            readonly definition: components["schemas"]["SegmentDefinition"];
            /** @description Creator: `key:<id>` or `oidc:<subject>`. Null if the creator was not signed in */
            readonly created_by: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /** @description Names in the definition that do not exist. A query that needs one is refused */
            readonly warnings: readonly string[];
        };
        readonly NewSegment: {
            /** @description Unique name. No leading or trailing spaces */
            readonly name: string;
            readonly description?: string | null;
            readonly definition: components["schemas"]["SegmentDefinition"];
        };
        readonly UpdatedSegment: {
            /** @enum {string} */
            readonly status: "updated";
        } & components["schemas"]["Segment"];
        readonly SegmentChange: {
            /** @description Unique name. No leading or trailing spaces */
            readonly name?: string;
            readonly description?: string | null;
            readonly definition?: components["schemas"]["SegmentDefinition"];
        };
        /** @description A remark on a day. It never changes a number */
        readonly Note: {
            readonly id: string;
            /** Format: date */
            readonly day: string;
            readonly text: string;
            readonly metric: string | null;
            readonly tenant: string | null;
            /** @description Creator: `key:<id>` or `oidc:<subject>`. Null if the creator was not signed in */
            readonly created_by: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /** @description Names in the note that the service does not have, such as a tenant that it no longer serves */
            readonly warnings: readonly string[];
        };
        readonly NewNote: {
            /**
             * Format: date
             * @description The day that the note is about
             */
            readonly day: string;
            /** @description One line, without blanks at its ends */
            readonly text: string;
            /** @description Name of a metric of `/api/metrics`. Null: all metrics */
            readonly metric?: string | null;
            /** @description Name of a tenant of `/api/tenants`. Null: all tenants */
            readonly tenant?: string | null;
        };
        readonly UpdatedNote: {
            /** @enum {string} */
            readonly status: "updated";
        } & components["schemas"]["Note"];
        readonly NoteChange: {
            /**
             * Format: date
             * @description The day that the note is about
             */
            readonly day?: string;
            /** @description One line, without blanks at its ends */
            readonly text?: string;
            /** @description Name of a metric of `/api/metrics`. Null: all metrics */
            readonly metric?: string | null;
            /** @description Name of a tenant of `/api/tenants`. Null: all tenants */
            readonly tenant?: string | null;
        };
        /** @description A number to reach in a month or quarter */
        readonly Goal: {
            readonly id: string;
            /** @description Name of the metric */
            readonly metric: string;
            /** @description The query that answers the number */
            readonly query_type: string;
            /** @description The column of its answer */
            readonly measure: string;
            /** @description Display name of the number */
            readonly label: string;
            /** @description True for a level, which is compared at the end of the period. Other numbers are those of the period */
            readonly is_level: boolean;
            /** @description `key=value` each, sorted. Empty: all customers */
            readonly filter: readonly string[];
            /** @description A month `2026-10`, or a quarter `2026-Q4` */
            readonly period: string;
            /** @description Cents of `currency` for amounts, a fraction (0.05 is 5 %), a ratio, or a count */
            readonly value: number;
            /** @enum {string} */
            readonly unit: "money" | "fraction" | "ratio" | "count";
            /** @description The base currency when the goal was set. Null if the goal is no amount */
            readonly currency: string | null;
            /** @description Creator: `key:<id>` or `oidc:<subject>`. Null if the creator was not signed in */
            readonly created_by: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /** @description Why the goal is compared with nothing, such as another base currency or a tenant that is no longer served */
            readonly warnings: readonly string[];
        };
        readonly NewGoal: {
            /** @description Name of a metric, or of a figure of `/api/metrics/{metric}/fields`, such as `customers` */
            readonly metric: string;
            /** @description Query type of the metric. Default: its first one */
            readonly query_type?: string;
            /** @description The customers that the goal is for: `key=value` each, as the parameter `filter` of the metric. Default: all */
            readonly filter?: readonly string[];
            /** @description A month `2026-10`, or a quarter `2026-Q4` */
            readonly period: string;
            /** @description Whole cents of the base currency for amounts, a fraction (0.05 is 5 %) for rates, a whole number for counts */
            readonly value: number;
        };
        readonly UpdatedGoal: {
            /** @enum {string} */
            readonly status: "updated";
        } & components["schemas"]["Goal"];
        readonly GoalChange: {
            /** @description Whole cents of the base currency for amounts, a fraction (0.05 is 5 %) for rates, a whole number for counts */
            readonly value?: number;
        };
        /** @description Result of an import of goals */
        readonly GoalImport: {
            readonly rows_read: number;
            readonly dry_run: boolean;
            /** @description Number of new goals */
            readonly created: number;
            /** @description Number of goals that get another value or currency */
            readonly changed: number;
            readonly unchanged: number;
            /** @description The goals of the file, in its order */
            readonly goals: readonly components["schemas"]["ImportedGoal"][];
        };
        readonly ImportedGoal: {
            readonly metric: string;
            readonly query_type: string;
            readonly measure: string;
            readonly label: string;
            readonly period: string;
            /** @description Cents of `currency` for amounts, a fraction, a ratio, or a count */
            readonly value: number;
            /** @enum {string} */
            readonly unit: "money" | "fraction" | "ratio" | "count";
            readonly currency: string | null;
        };
        readonly GoalFile: {
            /**
             * Format: binary
             * @description CSV with a header row. Columns: `metric`, `period`, `value`, and optionally `query_type`. Amounts are in units of the base currency, rates are fractions or have a percent sign
             */
            readonly file?: string;
            /**
             * @description `true`: checks the file and answers what it would change. Nothing is written
             * @enum {string}
             */
            readonly dry_run?: "true" | "false";
            /**
             * @description Separator of the cells, by name or as the character. Default: the line `sep=`, otherwise the separator in the header
             * @enum {string}
             */
            readonly separator?: "comma" | "semicolon" | "tab";
            /**
             * @description Default: the encoding of the byte order mark, otherwise UTF-8
             * @enum {string}
             */
            readonly encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
        };
        /** @description Result of an attribute import */
        readonly AttributeImport: {
            readonly rows_read: number;
            /** @description Rows with at least one accepted cell */
            readonly rows_upserted: number;
            /** @description At most 1,000 entries */
            readonly unknown_customers: readonly string[];
            readonly keys_created: readonly string[];
            /** @description At most 1,000 entries */
            readonly cells_rejected: readonly components["schemas"]["RejectedCell"][];
            /** @description New attributes that are stored as text although all values look like numbers, each with the first value that a number would change */
            readonly kept_as_text: readonly components["schemas"]["KeptAsText"][];
            readonly unknown_customers_total: number;
            readonly cells_rejected_total: number;
        };
        readonly RejectedCell: {
            /** @description Row number, starting at 1 after the header */
            readonly row: number;
            readonly key: string;
            readonly value: string;
            /** @enum {string} */
            readonly reason: "type_mismatch" | "ambiguous_customer";
        };
        readonly KeptAsText: {
            /** @description Row number, starting at 1 after the header */
            readonly row: number;
            readonly key: string;
            readonly value: string;
        };
        readonly AttributeFile: {
            /**
             * Format: binary
             * @description CSV with a header row
             */
            readonly file?: string;
            /** @description Column that identifies the customer. Default: `customer_id`, `external`, `external_key` or `email` */
            readonly id_column?: string;
            /**
             * @description Content of that column. `id`: account id, else external key. `external`: external key. `email`: email address
             * @enum {string}
             */
            readonly id_kind?: "id" | "external" | "email";
            /**
             * @description Separator of the cells, by name or as the character. Default: the line `sep=`, otherwise the separator in the header
             * @enum {string}
             */
            readonly separator?: "comma" | "semicolon" | "tab";
            /**
             * @description Default: the encoding of the byte order mark, otherwise UTF-8
             * @enum {string}
             */
            readonly encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
        };
        readonly BillPage: {
            /** @description Total number of rows on all pages */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["Bill"][];
        };
        /** @description The current state of a bill or vendor credit */
        readonly Bill: {
            readonly id: string;
            /** @description The accounting platform or file that the row is from */
            readonly source_id: string;
            readonly number: string | null;
            /** @enum {string} */
            readonly kind: "bill" | "vendor_credit";
            /** @enum {string|null} */
            readonly status: "open" | "partial" | "paid" | "voided" | null;
            readonly vendor_id: string | null;
            /** @description Null if the vendor is not known */
            readonly vendor_name: string | null;
            /** Format: date */
            readonly bill_date: string;
            /** Format: date */
            readonly due_date: string | null;
            readonly currency: string;
            /** @description Cents of the currency, with tax; negative on a credit */
            readonly total_cents: number;
            /** @description At the rate of the bill's date; null if an exchange rate is missing, or beyond 2^53 */
            readonly total_base_cents: number | null;
            /** @description Amount still owed. Negative on an open credit */
            readonly payable_cents: number;
            /** @description At the rate of the bill's date; null if an exchange rate is missing, or beyond 2^53 */
            readonly payable_base_cents: number | null;
        };
        readonly ExpenseLinePage: {
            /** @description Total number of rows on all pages */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["ExpenseLine"][];
        };
        /** @description A line of a bill or an expense */
        readonly ExpenseLine: {
            /** @description The accounting platform or file that the row is from */
            readonly source_id: string;
            /**
             * @description A vendor credit is a bill
             * @enum {string}
             */
            readonly document_kind: "bill" | "expense";
            readonly document_id: string;
            readonly line_id: string;
            /**
             * Format: date
             * @description Date of the document
             */
            readonly txn_date: string;
            readonly vendor_id: string | null;
            /** @description Null if the vendor is not known */
            readonly vendor_name: string | null;
            readonly account_id: string | null;
            readonly account_name: string | null;
            /** @enum {string} */
            readonly account_type: "expense" | "cogs" | "income" | "asset" | "liability" | "equity" | "other" | "unknown";
            readonly class: string | null;
            readonly department: string | null;
            readonly project: string | null;
            readonly description: string | null;
            readonly currency: string;
            /** @description Cents of the currency, net of tax as recorded */
            readonly amount_cents: number;
            /** @description At the rate of the document's date; null if an exchange rate is missing, or beyond 2^53 */
            readonly amount_base_cents: number | null;
        };
        readonly VendorPage: {
            /** @description Total number of rows on all pages */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["Vendor"][];
        };
        /** @description A vendor with the amounts owed to it */
        readonly Vendor: {
            readonly id: string;
            /** @description The accounting platform or file that the row is from */
            readonly source_id: string;
            readonly name: string;
            readonly is_active: boolean;
            /** @description Bills and credits that are not settled */
            readonly open_bills: number;
            /** @description Currency of the open bills. Null if there is none, or if they have several currencies */
            readonly currency: string | null;
            /** @description Amount still owed, less open credits. Null with several currencies, or beyond 2^53 */
            readonly payable_cents: number | null;
            /** @description Amount still owed in base cents; null if an exchange rate is missing, or beyond 2^53 */
            readonly payable_base_cents: number | null;
        };
        /** @description Result of an import of bills and expenses */
        readonly ExpenseImport: {
            readonly source_id: string;
            readonly rows_read: number;
            /** @description Number of bills and expenses in the file */
            readonly documents: number;
            /** @description Number of new or changed records, by kind */
            readonly changed: {
                readonly vendor?: number;
                readonly account?: number;
                readonly item?: number;
                readonly bill?: number;
                readonly vendor_credit?: number;
                readonly expense?: number;
                readonly bill_payment?: number;
            };
        };
        readonly ExpenseFile: {
            /**
             * Format: binary
             * @description CSV with a header row
             */
            readonly file?: string;
            /** @description Name of the expense list that the file belongs to. Letters, digits, ".", "_" and "-" */
            readonly source: string;
            /**
             * @description Separator of the cells, by name or as the character. Default: the line `sep=`, otherwise the separator in the header
             * @enum {string}
             */
            readonly separator?: "comma" | "semicolon" | "tab";
            /**
             * @description Default: the encoding of the byte order mark, otherwise UTF-8
             * @enum {string}
             */
            readonly encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
        };
        /** @description An exchange rate. It applies until the next rate of its currency pair */
        readonly FxRate: {
            /**
             * Format: date
             * @description First day that the rate applies to
             */
            readonly date: string;
            readonly from: string;
            readonly to: string;
            /** @description Units of `to` for one unit of `from`, as exact decimal text */
            readonly rate: string;
        };
        /** @description A currency pair without a rate, and the days that need one */
        readonly MissingFxRate: {
            readonly from: string;
            readonly to: string;
            /** Format: date */
            readonly first_day: string;
            /** Format: date */
            readonly last_day: string;
            /** @description Number of amounts that need the rate */
            readonly count: number;
            /**
             * Format: date
             * @description First day with a rate of this pair. Null if there is no rate at all
             */
            readonly rates_since: string | null;
        };
        /** @description Result of an exchange rate import */
        readonly FxRateImport: {
            readonly rows_read: number;
            /** @description Number of rates stored. A row of the European Central Bank has many */
            readonly rows_upserted: number;
            /** @description At most 1,000 entries */
            readonly rows_rejected: readonly components["schemas"]["RejectedFxRow"][];
            readonly rows_rejected_total: number;
        };
        readonly RejectedFxRow: {
            /** @description Row number, starting at 1 after the header */
            readonly row: number;
            readonly reason: string;
        };
        readonly FxRateFile: {
            /**
             * Format: binary
             * @description CSV, plain or in a ZIP archive. Columns: `date`, `from`, `to`, `rate`, or the format of the European Central Bank with one column per currency
             */
            readonly file?: string;
            /** @description Target currency for a file of the European Central Bank. Default: the base currency */
            readonly to?: string;
            /**
             * Format: date
             * @description Skip rates before this day
             */
            readonly since?: string;
            /**
             * @description Separator of the cells, by name or as the character. Default: the line `sep=`, otherwise the separator in the header
             * @enum {string}
             */
            readonly separator?: "comma" | "semicolon" | "tab";
            /**
             * @description Default: the encoding of the byte order mark, otherwise UTF-8
             * @enum {string}
             */
            readonly encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
        };
        readonly FxFetch: {
            /** @description Target currency. Default: the base currency */
            readonly to?: string;
            /**
             * Format: date
             * @description Skip rates before this day
             */
            readonly since?: string;
        };
        /** @description A custom field of customers */
        readonly Attribute: {
            readonly key: string;
            readonly label: string;
            readonly type: components["schemas"]["AttributeType"];
            /** @description Origin: `csv`, `api`, `computed` or the connector type */
            readonly source: string;
            readonly description: string | null;
            /** @description False for attributes that the billing engine owns and for computed ones */
            readonly editable: boolean;
            /** Format: date-time */
            readonly created_at: string | null;
            /** Format: date-time */
            readonly updated_at: string | null;
        };
        /** @enum {string} */
        readonly AttributeType: "string" | "number" | "boolean" | "timestamp";
        readonly NewAttribute: {
            /** @description No "=", no control characters, no leading or trailing spaces */
            readonly key: string;
            readonly type: components["schemas"]["AttributeType"];
            readonly label?: string | null;
            readonly description?: string | null;
        };
        readonly UpdatedAttribute: {
            /** @enum {string} */
            readonly status: "updated";
        } & components["schemas"]["Attribute"];
        readonly AttributeChange: {
            readonly label?: string | null;
            readonly description?: string | null;
        };
        readonly DifferentValues: {
            readonly key: string;
            readonly type: components["schemas"]["AttributeType"];
            readonly values: readonly components["schemas"]["AttributeValue"][];
            readonly truncated: boolean;
        };
        readonly AttributeValue: string | number | boolean;
        readonly CustomerAttributePage: {
            /** @description Total number of rows on all pages */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["CustomerAttribute"][];
        };
        /** @description The value of an attribute for one customer */
        readonly CustomerAttribute: {
            readonly customer_id: string;
            readonly customer_external_id: string | null;
            readonly customer_name: string | null;
            readonly customer_email: string | null;
            readonly key: string;
            /** @description Null if the value of the billing engine does not fit the type */
            readonly value: string | number | boolean | null;
            /** @description Last writer: `csv`, `api` or the connector type */
            readonly origin: string;
            /** Format: date-time */
            readonly updated_at: string | null;
        };
        readonly AttributesSet: {
            readonly upserted: number;
            readonly unchanged: number;
            readonly keys_created: readonly string[];
        };
        readonly AttributeValues: {
            readonly attributes: {
                readonly [key: string]: string | number | boolean;
            };
        };
        /** @description A page of charts that belongs to one user */
        readonly Dashboard: {
            readonly id: string;
            /** @description No leading or trailing spaces */
            readonly name: string;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            readonly description: string | null;
            /**
             * @description `private`: only its owner reads it. `workspace`: everybody with the scope `read` reads it
             * @enum {string}
             */
            readonly visibility: "private" | "workspace";
            /** @description Name of its owner. Null if the owner has no name */
            readonly owner: string | null;
            /** @description Whether the caller is its owner */
            readonly is_own: boolean;
            /** @description Number of its changes, from 1. A change of sections or charts counts */
            readonly revision: number;
        };
        readonly NewDashboard: {
            /** @description No leading or trailing spaces */
            readonly name: string;
            readonly description?: string | null;
            /**
             * @description `private`: only its owner reads it. `workspace`: everybody with the scope `read` reads it
             * @enum {string}
             */
            readonly visibility?: "private" | "workspace";
        };
        /** @description A dashboard with its sections and charts */
        readonly DashboardWithCharts: {
            readonly id: string;
            /** @description No leading or trailing spaces */
            readonly name: string;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            readonly description: string | null;
            /**
             * @description `private`: only its owner reads it. `workspace`: everybody with the scope `read` reads it
             * @enum {string}
             */
            readonly visibility: "private" | "workspace";
            /** @description Name of its owner. Null if the owner has no name */
            readonly owner: string | null;
            /** @description Whether the caller is its owner */
            readonly is_own: boolean;
            /** @description Number of its changes, from 1. A change of sections or charts counts */
            readonly revision: number;
            /** @description In display order, with the charts of each section */
            readonly sections: readonly components["schemas"]["SectionWithCharts"][];
        };
        readonly SectionWithCharts: {
            readonly id: string;
            /** @description No leading or trailing spaces */
            readonly title: string;
            /** @description Sort position, ascending. Equal positions are ordered by id */
            readonly position: number;
            readonly charts: readonly components["schemas"]["PlacedChart"][];
        };
        /** @description A chart on a dashboard */
        readonly PlacedChart: {
            /** @description Id of the placement (not of the chart) */
            readonly id: string;
            readonly saved_chart_id: string;
            /** @description Sort position, ascending. Equal positions are ordered by id */
            readonly position: number;
            readonly chart: components["schemas"]["ShownChart"];
        };
        readonly ShownChart: {
            /** @description No leading or trailing spaces */
            readonly name: string;
            readonly config: components["schemas"]["ChartConfig"];
        };
        /** @description Free-form JSON, stored unchanged: at most 65536 bytes */
        readonly ChartConfig: {
            readonly [key: string]: unknown;
        };
        readonly Updated: {
            /** @enum {string} */
            readonly status: "updated";
        };
        readonly DashboardChange: {
            /** @description No leading or trailing spaces */
            readonly name?: string;
            readonly description?: string | null;
            /**
             * @description `private`: only its owner reads it. `workspace`: everybody with the scope `read` reads it
             * @enum {string}
             */
            readonly visibility?: "private" | "workspace";
            /** @description The revision of the dashboard that the writer has read. If the dashboard has changed since, the change is refused. Absent: it is made */
            readonly revision?: number;
        };
        /** @description A section of a dashboard, with a heading */
        readonly DashboardSection: {
            readonly id: string;
            /** @description No leading or trailing spaces */
            readonly title: string;
            /** @description Sort position, ascending. Equal positions are ordered by id */
            readonly position: number;
        };
        readonly NewSection: {
            /** @description No leading or trailing spaces */
            readonly title: string;
            /** @description Sort position, ascending. Equal positions are ordered by id */
            readonly position?: number;
        };
        readonly SectionChange: {
            /** @description No leading or trailing spaces */
            readonly title?: string;
            /** @description Sort position, ascending. Equal positions are ordered by id */
            readonly position?: number;
            /** @description The revision of the dashboard that the writer has read. If the dashboard has changed since, the change is refused. Absent: it is made */
            readonly revision?: number;
        };
        /** @description The chart was added to the dashboard */
        readonly ChartAdded: {
            /** @description Id of the placement */
            readonly id: string;
            /** @enum {string} */
            readonly status: "added";
        };
        readonly NewPlace: {
            readonly saved_chart_id: string;
            readonly section_id: string;
            /** @description Sort position, ascending. Equal positions are ordered by id */
            readonly position?: number;
        };
        readonly PlaceChange: {
            readonly section_id?: string;
            /** @description Sort position, ascending. Equal positions are ordered by id */
            readonly position?: number;
            /** @description The revision of the dashboard that the writer has read. If the dashboard has changed since, the change is refused. Absent: it is made */
            readonly revision?: number;
        };
        readonly ChartRemoved: {
            /** @enum {string} */
            readonly status: "removed";
        };
        /** @description A saved query of a user, and how its result is drawn */
        readonly Chart: {
            readonly id: string;
            /** @description No leading or trailing spaces */
            readonly name: string;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            readonly config: components["schemas"]["ChartConfig"];
        };
        readonly NewChart: {
            /** @description No leading or trailing spaces */
            readonly name: string;
            readonly config: components["schemas"]["ChartConfig"];
        };
        readonly ChartChange: {
            /** @description No leading or trailing spaces */
            readonly name?: string;
            readonly config?: components["schemas"]["ChartConfig"];
        };
        /** @description A briefing that is sent at a time, or an alert that is sent when its condition calls for it */
        readonly Delivery: {
            readonly id: string;
            /** @description No leading or trailing spaces */
            readonly name: string;
            readonly briefing: string | null;
            readonly when: components["schemas"]["DeliverySchedule"];
            readonly to: readonly components["schemas"]["Receiver"][];
            readonly segment: string | null;
            readonly condition: {
                /** @enum {string} */
                readonly kind: "figure";
                /** @description Name of the metric, such as `churn`, or `summary` */
                readonly metric: string;
                /** @description Its parameters as in a query string, such as `{"query_type": "revenue", "range": "last-month"}` */
                readonly params: {
                    readonly [key: string]: string | readonly string[];
                };
                /** @description The figure of an answer that has several, such as `mrr` of the summary */
                readonly field?: string;
                /** @enum {string} */
                readonly is: "above" | "below";
                /**
                 * @description `value` (default): the figure itself. `before`: its change since the period before, as a fraction
                 * @enum {string}
                 */
                readonly against?: "value" | "before";
                /** @description In the unit of the figure: cents, a fraction or a count */
                readonly value: number;
                /** @description Runs in a row for which it must hold. Default: 1 */
                readonly hold?: number;
            } | {
                /** @enum {string} */
                readonly kind: "rows";
                readonly movements: readonly ("new" | "expansion" | "contraction" | "churn" | "reactivation")[];
                /** @description Least amount of a movement, gain or loss, in cents of the base currency */
                readonly least_cents: number;
            } | {
                /** @enum {string} */
                readonly kind: "service";
                readonly checks: readonly ("lag" | "verify" | "exchange_rates" | "billing_health")[];
            } | null;
            readonly enabled: boolean;
            readonly created_by: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /**
             * Format: date-time
             * @description Its next run. Null if it is off
             */
            readonly next_at: string | null;
            readonly last_run: components["schemas"]["DeliveryRun"] | null;
        };
        /** @description An hour of days, weeks or months on the clock of a zone */
        readonly DeliverySchedule: {
            /** @enum {string} */
            readonly every: "day";
            /** @description Hour on the clock of the zone */
            readonly hour: number;
            /** @description Time zone, such as Europe/Berlin. Default: that of the definitions */
            readonly zone?: string;
        } | {
            /** @enum {string} */
            readonly every: "week";
            /** @enum {string} */
            readonly weekday: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
            /** @description Hour on the clock of the zone */
            readonly hour: number;
            /** @description Time zone, such as Europe/Berlin. Default: that of the definitions */
            readonly zone?: string;
        } | {
            /** @enum {string} */
            readonly every: "month";
            /** @description Day of the month. A month that lacks it has its last day instead */
            readonly day: number;
            /** @description Hour on the clock of the zone */
            readonly hour: number;
            /** @description Time zone, such as Europe/Berlin. Default: that of the definitions */
            readonly zone?: string;
        };
        /** @description A receiver, without secrets */
        readonly Receiver: {
            /** @enum {string} */
            readonly kind: "mail" | "slack" | "webhook";
            /** @description Of a mail */
            readonly address?: string;
            /** @description Of a webhook */
            readonly id?: string;
            /**
             * @description Of a webhook
             * @enum {string}
             */
            readonly form?: "slack" | "teams" | "json";
            /** @description Host of a webhook. The rest of its address is a secret */
            readonly host?: string;
        };
        /** @description A run of a delivery */
        readonly DeliveryRun: {
            /** @description The local hour, such as `2026-11-30T07:00` */
            readonly slot: string;
            /** Format: date-time */
            readonly due_at: string;
            /**
             * @description `silent`: the condition did not call for a message. `missed`: the service did not run, or a later run came
             * @enum {string}
             */
            readonly status: "waiting" | "sent" | "silent" | "failed" | "missed";
            readonly attempts: number;
            /** Format: date-time */
            readonly started_at: string;
            /** Format: date-time */
            readonly finished_at: string | null;
            /** Format: date-time */
            readonly next_attempt_at: string | null;
            /** @description Why it was not sent, or not yet */
            readonly error: string | null;
        };
        readonly SavedDelivery: {
            readonly id: string;
            /** @description No leading or trailing spaces */
            readonly name: string;
            readonly briefing: string | null;
            readonly when: components["schemas"]["DeliverySchedule"];
            readonly to: readonly components["schemas"]["Receiver"][];
            readonly segment: string | null;
            readonly condition: {
                /** @enum {string} */
                readonly kind: "figure";
                /** @description Name of the metric, such as `churn`, or `summary` */
                readonly metric: string;
                /** @description Its parameters as in a query string, such as `{"query_type": "revenue", "range": "last-month"}` */
                readonly params: {
                    readonly [key: string]: string | readonly string[];
                };
                /** @description The figure of an answer that has several, such as `mrr` of the summary */
                readonly field?: string;
                /** @enum {string} */
                readonly is: "above" | "below";
                /**
                 * @description `value` (default): the figure itself. `before`: its change since the period before, as a fraction
                 * @enum {string}
                 */
                readonly against?: "value" | "before";
                /** @description In the unit of the figure: cents, a fraction or a count */
                readonly value: number;
                /** @description Runs in a row for which it must hold. Default: 1 */
                readonly hold?: number;
            } | {
                /** @enum {string} */
                readonly kind: "rows";
                readonly movements: readonly ("new" | "expansion" | "contraction" | "churn" | "reactivation")[];
                /** @description Least amount of a movement, gain or loss, in cents of the base currency */
                readonly least_cents: number;
            } | {
                /** @enum {string} */
                readonly kind: "service";
                readonly checks: readonly ("lag" | "verify" | "exchange_rates" | "billing_health")[];
            } | null;
            readonly enabled: boolean;
            readonly created_by: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /**
             * Format: date-time
             * @description Its next run. Null if it is off
             */
            readonly next_at: string | null;
            readonly last_run: components["schemas"]["DeliveryRun"] | null;
            /** @description The key that signs bodies of JSON webhooks. It is returned only once, when the first such webhook is added */
            readonly signing_key: string | null;
        };
        readonly NewDelivery: {
            /** @description No leading or trailing spaces */
            readonly name: string;
            /** @description `weekly` or `board`. An alert may have none */
            readonly briefing?: string | null;
            readonly when: components["schemas"]["DeliverySchedule"];
            readonly to: readonly components["schemas"]["ReceiverToSave"][];
            /** @description Id or name of a segment. Only its customers count */
            readonly segment?: string | null;
            /** @description A delivery with a condition is an alert: it is sent when a figure crosses a value, for new rows, or for a state of the service */
            readonly condition?: {
                /** @enum {string} */
                readonly kind: "figure";
                /** @description Name of the metric, such as `churn`, or `summary` */
                readonly metric: string;
                /** @description Its parameters as in a query string, such as `{"query_type": "revenue", "range": "last-month"}` */
                readonly params: {
                    readonly [key: string]: string | readonly string[];
                };
                /** @description The figure of an answer that has several, such as `mrr` of the summary */
                readonly field?: string;
                /** @enum {string} */
                readonly is: "above" | "below";
                /**
                 * @description `value` (default): the figure itself. `before`: its change since the period before, as a fraction
                 * @enum {string}
                 */
                readonly against?: "value" | "before";
                /** @description In the unit of the figure: cents, a fraction or a count */
                readonly value: number;
                /** @description Runs in a row for which it must hold. Default: 1 */
                readonly hold?: number;
            } | {
                /** @enum {string} */
                readonly kind: "rows";
                readonly movements: readonly ("new" | "expansion" | "contraction" | "churn" | "reactivation")[];
                /** @description Least amount of a movement, gain or loss, in cents of the base currency */
                readonly least_cents: number;
            } | {
                /** @enum {string} */
                readonly kind: "service";
                readonly checks: readonly ("lag" | "verify" | "exchange_rates" | "billing_health")[];
            } | null;
            /** @description Default: true */
            readonly enabled?: boolean;
        };
        /** @description A receiver: a mail address, the configured channel of Slack, or a webhook of Slack, Teams or your own */
        readonly ReceiverToSave: {
            /** @enum {string} */
            readonly kind: "mail";
            /** @description An address of `mail.domains` */
            readonly address: string;
        } | {
            /** @enum {string} */
            readonly kind: "slack";
        } | {
            /** @enum {string} */
            readonly kind: "webhook";
            /** @enum {string} */
            readonly form: "slack" | "teams" | "json";
            /** @description Its address, https://…. It is a secret, and no answer has it */
            readonly url?: string;
            /** @description In a change, the id of a webhook that stays, in place of `url` */
            readonly id?: string;
        };
        readonly UpdatedSavedDelivery: {
            /** @enum {string} */
            readonly status: "updated";
        } & components["schemas"]["SavedDelivery"];
        readonly DeliveryChange: {
            /** @description No leading or trailing spaces */
            readonly name?: string;
            /** @description `weekly` or `board`. An alert may have none */
            readonly briefing?: string | null;
            readonly when?: components["schemas"]["DeliverySchedule"];
            readonly to?: readonly components["schemas"]["ReceiverToSave"][];
            /** @description Id or name of a segment. Only its customers count */
            readonly segment?: string | null;
            /** @description A delivery with a condition is an alert: it is sent when a figure crosses a value, for new rows, or for a state of the service */
            readonly condition?: {
                /** @enum {string} */
                readonly kind: "figure";
                /** @description Name of the metric, such as `churn`, or `summary` */
                readonly metric: string;
                /** @description Its parameters as in a query string, such as `{"query_type": "revenue", "range": "last-month"}` */
                readonly params: {
                    readonly [key: string]: string | readonly string[];
                };
                /** @description The figure of an answer that has several, such as `mrr` of the summary */
                readonly field?: string;
                /** @enum {string} */
                readonly is: "above" | "below";
                /**
                 * @description `value` (default): the figure itself. `before`: its change since the period before, as a fraction
                 * @enum {string}
                 */
                readonly against?: "value" | "before";
                /** @description In the unit of the figure: cents, a fraction or a count */
                readonly value: number;
                /** @description Runs in a row for which it must hold. Default: 1 */
                readonly hold?: number;
            } | {
                /** @enum {string} */
                readonly kind: "rows";
                readonly movements: readonly ("new" | "expansion" | "contraction" | "churn" | "reactivation")[];
                /** @description Least amount of a movement, gain or loss, in cents of the base currency */
                readonly least_cents: number;
            } | {
                /** @enum {string} */
                readonly kind: "service";
                readonly checks: readonly ("lag" | "verify" | "exchange_rates" | "billing_health")[];
            } | null;
            /** @description Default: true */
            readonly enabled?: boolean;
        };
        readonly DeliveryTested: {
            /** @enum {string} */
            readonly status: "sent";
        };
        /** @description What a run now would send */
        readonly DeliveryPreview: {
            readonly sends: boolean;
            /** @description Why a run now would send nothing. Null if it would send */
            readonly reason: string | null;
            readonly subject: string | null;
            readonly text: string | null;
            readonly html: string | null;
        };
        /** @description A link, without its token: only the SHA-256 of the token is stored */
        readonly Link: {
            readonly id: string;
            /** @enum {string} */
            readonly kind: "page" | "feed";
            readonly dashboard_id: string | null;
            readonly chart_id: string | null;
            /** @description Name of the dashboard or chart. Null if it was deleted, and the link opens nothing */
            readonly name: string | null;
            /** @enum {string} */
            readonly moment: "live" | "fixed";
            readonly names: boolean;
            /** @description Name of its creator, or the id without a name */
            readonly created_by: string;
            /** @description Whether the caller has created it */
            readonly is_own: boolean;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly expires_at: string;
            /** Format: date-time */
            readonly revoked_at: string | null;
            /**
             * Format: date-time
             * @description Last opening, to the minute. Null if it was never opened
             */
            readonly opened_at: string | null;
        };
        readonly NewLink: {
            readonly id: string;
            /** @enum {string} */
            readonly kind: "page" | "feed";
            readonly dashboard_id: string | null;
            readonly chart_id: string | null;
            /** @description Name of the dashboard or chart. Null if it was deleted, and the link opens nothing */
            readonly name: string | null;
            /** @enum {string} */
            readonly moment: "live" | "fixed";
            readonly names: boolean;
            /** @description Name of its creator, or the id without a name */
            readonly created_by: string;
            /** @description Whether the caller has created it */
            readonly is_own: boolean;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly expires_at: string;
            /** Format: date-time */
            readonly revoked_at: string | null;
            /**
             * Format: date-time
             * @description Last opening, to the minute. Null if it was never opened
             */
            readonly opened_at: string | null;
            /** @description The secret token. It is returned only once, here */
            readonly token: string;
            /** @description Address of the link on this service, with the token. A feed has two endings: `.csv`, and `.json` */
            readonly path: string;
        };
        readonly LinkToMake: {
            /**
             * @description `page`: a dashboard for people, the default. `feed`: the rows of a chart for a spreadsheet
             * @enum {string}
             */
            readonly kind?: "page" | "feed";
            /** @description The dashboard of a page */
            readonly dashboard_id?: string;
            /** @description The saved chart of a feed */
            readonly chart_id?: string;
            /**
             * @description `live`: the numbers of the moment in which the link is opened, the default. `fixed`: a page with those of now
             * @enum {string}
             */
            readonly moment?: "live" | "fixed";
            /** @description Whether it shows customers. Default: false. A fixed page and a feed show none */
            readonly names?: boolean;
            /** @description Expiry, at most a year ahead. Default: in 30 days */
            readonly expires_at?: string;
        };
        readonly LinkRevoked: {
            /** @enum {string} */
            readonly status: "revoked";
        };
        /** @description The dashboard of a link */
        readonly SharedPage: {
            /** @enum {string} */
            readonly moment: "live" | "fixed";
            /**
             * Format: date-time
             * @description The instant at which the numbers were asked
             */
            readonly as_of: string;
            /** Format: date-time */
            readonly expires_at: string;
            readonly briefing: components["schemas"]["Briefing"];
        };
        /** @description Blocks of numbers, and the facts that they need. Amounts are cents of the base currency */
        readonly Briefing: {
            readonly name: string;
            readonly title: string;
            readonly days: {
                readonly start: string;
                readonly end: string;
            } & {
                readonly [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description The instant up to which the data is complete. Null: it is not known
             */
            readonly data_through: string | null;
            readonly base_currency: string;
            readonly time_zone?: string;
            readonly definitions: string;
            /** @description Figures, tables and sentences */
            readonly blocks: readonly ({
                readonly kind: string;
                readonly title: string;
            } & {
                readonly [key: string]: unknown;
            })[];
            readonly left_out: readonly ({
                readonly title: string;
                readonly reason: string;
            } & {
                readonly [key: string]: unknown;
            })[];
            readonly warnings: readonly string[];
        } & {
            readonly [key: string]: unknown;
        };
        /** @description A source of billing data or expenses */
        readonly Source: {
            readonly id: string;
            readonly type: string;
            readonly name: string;
            /** @enum {string} */
            readonly kind: "database" | "accounting" | "file";
            /**
             * @description `needs_reconnect`: the platform rejects the tokens, or the key that encrypts them has changed. Records that were read stay
             * @enum {string}
             */
            readonly status: "connected" | "needs_reconnect" | "disconnected";
            /** @description Settings without secrets */
            readonly config: {
                readonly [key: string]: unknown;
            };
            /** Format: date-time */
            readonly created_at: string | null;
            /**
             * Format: date-time
             * @description All changes before this time have been read
             */
            readonly last_synced_at: string | null;
            readonly last_run: components["schemas"]["SourceRun"] | null;
            /** @description Number of notifications waiting to be processed */
            readonly waiting: number;
            /** @description Number of notifications that were given up */
            readonly dead_letters: number;
            /** @description Names of metrics and lists that a database cannot supply, such as `billing_health`. Empty for other sources */
            readonly unsupported: readonly string[];
        };
        /** @description A backfill of a source, or a read of its changes */
        readonly SourceRun: {
            readonly id: string;
            /** @enum {string} */
            readonly kind: "backfill" | "changes";
            /** @enum {string} */
            readonly status: "running" | "succeeded" | "failed";
            /** Format: date-time */
            readonly started_at: string;
            /** Format: date-time */
            readonly finished_at: string | null;
            /** @description Number of changed records, by kind */
            readonly counts: {
                readonly vendor: number;
                readonly account: number;
                readonly item: number;
                readonly bill: number;
                readonly vendor_credit: number;
                readonly purchase: number;
                readonly bill_payment: number;
            };
            readonly error: string | null;
        };
        readonly NewSource: {
            /** @description Platform name */
            readonly type: string;
            readonly name?: string;
            /** @description Settings of the platform, such as `realm_id` */
            readonly config?: {
                readonly [key: string]: unknown;
            };
        };
        readonly Disconnection: {
            /** @enum {string} */
            readonly status: "disconnected";
            readonly source_id: string;
            /** @description True if the platform confirmed that the tokens are revoked */
            readonly revoked: boolean;
        };
        readonly NothingToBackfill: {
            /** @enum {string} */
            readonly status: "nothing_to_backfill";
            readonly source_id: string;
            readonly detail: string;
        };
        readonly BackfillStarted: {
            /** @enum {string} */
            readonly status: "started";
            readonly source_id: string;
            readonly run_id: string;
        };
        readonly Backfill: {
            /**
             * Format: date
             * @description Skip documents before this date
             */
            readonly since?: string;
        };
        readonly DeadLetterPage: {
            /** @description Total number of rows on all pages */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["DeadLetter"][];
        };
        /** @description A notification that was given up after six failed attempts */
        readonly DeadLetter: {
            readonly id: string;
            readonly entity: string;
            readonly entity_id: string;
            readonly operation: string;
            /** Format: date-time */
            readonly received_at: string;
            readonly attempts: number;
            /** @description Reason why the last attempt failed */
            readonly error: string | null;
        };
        readonly LettersRetried: {
            /** @enum {string} */
            readonly status: "waiting";
            readonly retried: number;
        };
        readonly LettersToRetry: {
            /** @description Ids to retry. Default: `all` */
            readonly ids?: "all" | readonly string[];
        };
        readonly Consent: {
            readonly authorize_url: string;
        };
        readonly WebhookReceipt: {
            /** @enum {string} */
            readonly status: "ok";
            readonly accepted: number;
            readonly ignored: number;
        };
        /** @description The reply to a message: `result` or `error`. If a tool refuses, its result has `isError` */
        readonly McpReply: {
            /** @enum {string} */
            readonly jsonrpc: "2.0";
            readonly id?: string | number | null;
            readonly result?: {
                readonly [key: string]: unknown;
            };
            readonly error?: {
                readonly code: number;
                readonly message: string;
            } & {
                readonly [key: string]: unknown;
            };
        } & {
            readonly [key: string]: unknown;
        };
        /** @description A message of the Model Context Protocol, JSON-RPC 2.0 */
        readonly McpMessage: {
            /** @enum {string} */
            readonly jsonrpc: "2.0";
            /** @description Absent for a notification, which gets no reply */
            readonly id?: string | number;
            /** @description `initialize`, `tools/list`, `tools/call` or another method of the protocol */
            readonly method: string;
            readonly params?: {
                readonly [key: string]: unknown;
            };
        };
        /** @description The settings that a client needs before sign-in */
        readonly SignInConfig: {
            /** @description Whether requests need a credential */
            readonly auth_enabled: boolean;
            /** @description OpenID Connect issuer to sign in at. Null: sign in with an API key */
            readonly oidc_issuer: string | null;
            /** @description Client id for the issuer */
            readonly oidc_client_id: string | null;
        };
        /** @description The caller of the API */
        readonly Principal: {
            /** @description Id of the user. The user's dashboards and charts are stored under it */
            readonly id: string;
            readonly email: string | null;
            readonly name: string | null;
            readonly avatar_url: string | null;
            /** @enum {string} */
            readonly kind: "anonymous" | "api_key" | "oidc";
            /** @description Granted scopes, including nested ones */
            readonly scopes: readonly components["schemas"]["Scope"][];
        };
        /**
         * @description Each scope includes those before it. `read:aggregate` allows totals only, no customer data
         * @enum {string}
         */
        readonly Scope: "read:aggregate" | "read" | "write" | "admin";
        /** @description An API key, without the secret: only its SHA-256 is stored */
        readonly ApiKey: {
            readonly id: string;
            readonly name: string;
            /** @description The first 11 characters, to recognize the key */
            readonly key_prefix: string;
            readonly scopes: readonly components["schemas"]["Scope"][];
            /** Format: date-time */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description To the minute. Null if never used
             */
            readonly last_used_at: string | null;
            /** Format: date-time */
            readonly expires_at: string | null;
            /** Format: date-time */
            readonly revoked_at: string | null;
        };
        readonly NewApiKey: {
            readonly id: string;
            readonly name: string;
            /** @description The first 11 characters, to recognize the key */
            readonly key_prefix: string;
            readonly scopes: readonly components["schemas"]["Scope"][];
            /** Format: date-time */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description To the minute. Null if never used
             */
            readonly last_used_at: string | null;
            /** Format: date-time */
            readonly expires_at: string | null;
            /** Format: date-time */
            readonly revoked_at: string | null;
            /** @description The secret key. It is returned only once, here */
            readonly key: string;
        };
        readonly ApiKeyToMake: {
            /** @description Display name. No leading or trailing spaces */
            readonly name: string;
            /** @description Default: `["read"]` */
            readonly scopes?: readonly components["schemas"]["Scope"][];
            /** @description Expiry, in the future. Default: never */
            readonly expires_at?: string | null;
        };
        readonly KeyRevoked: {
            /** @enum {string} */
            readonly status: "revoked";
        };
        readonly AuditEventPage: {
            /** @description Total number of rows on all pages */
            readonly total: number;
            readonly limit: number;
            readonly offset: number;
            readonly rows: readonly components["schemas"]["AuditEvent"][];
        };
        /** @description An action or an attempt. It never contains a body or a secret */
        readonly AuditEvent: {
            readonly id: string;
            /** Format: date-time */
            readonly at: string;
            readonly actor_id: string;
            /** @enum {string} */
            readonly actor_kind: "anonymous" | "api_key" | "oidc" | "command_line";
            /** @description Name of the actor at that time */
            readonly actor_name: string | null;
            /** @description `sign_in`, `credential.refused`, `personal.read`, `export`, `segment.create`, … */
            readonly action: string;
            /** @description Method and path of the operation, without path values */
            readonly path: string | null;
            /** @description Ids in the path, or id of the created record. For a refused credential, the reason */
            readonly target: string | null;
            readonly remote_address: string | null;
            readonly request_id: string | null;
            /** @enum {string} */
            readonly outcome: "ok" | "refused" | "failed";
            readonly status: number | null;
            /** @description Number of identical events that this entry represents */
            readonly count: number;
        };
        readonly Liveness: {
            /** @enum {string} */
            readonly status: "ok";
        };
        /** @description Readiness of the service and its dependencies */
        readonly Readiness: {
            /** @enum {string} */
            readonly status: "ok" | "unavailable";
            /**
             * @description Why the service is not ready. Absent if it is ready, or if `checks` has the details
             * @enum {string}
             */
            readonly reason?: "replica" | "store" | "lake";
            /** @description If `auth.enabled` is set, only for credentials with the scope `read` */
            readonly checks?: {
                readonly replica: {
                    readonly ok: boolean;
                    /** @enum {string} */
                    readonly role: "replica" | "primary" | "unknown";
                    /** @description Replication lag. Null on a primary, and if unknown */
                    readonly lag_seconds: number | null;
                    readonly version: string | null;
                    readonly schema: string | null;
                    /** @description Why the replica is not known to be up to date. Absent if it is */
                    readonly reason?: string;
                };
                readonly store: {
                    /** @description Null if the store is switched off */
                    readonly ok: boolean | null;
                };
                /** @description Expense sources that need attention. Absent if there are none. They do not affect readiness */
                readonly sources?: {
                    readonly needs_reconnect: readonly string[];
                    readonly dead_letters: number;
                    /** @description Number of notifications waiting to be processed */
                    readonly waiting: number;
                    /**
                     * Format: date-time
                     * @description Arrival time of the oldest waiting notification
                     */
                    readonly oldest_waiting_at: string | null;
                };
                /** @description Deliveries. Absent if there are none. They do not affect readiness */
                readonly deliveries?: {
                    readonly ok: boolean;
                    /** @description Ids of those whose last run could not be sent */
                    readonly failed: readonly string[];
                };
                /** @description Absent if there is no cache */
                readonly cache?: {
                    /**
                     * @description Unless `ready`, requests go to the replica
                     * @enum {string}
                     */
                    readonly status: "idle" | "filling" | "ready" | "failed";
                    /** @description Number of accounts in the cache, or read so far */
                    readonly accounts: number;
                    /** @description How far the filling is. Absent unless `status` is `filling` */
                    readonly progress?: {
                        /** @description Number of rows read from the billing database so far */
                        readonly rows: number;
                        /** @description Number of accounts to fill. Null until they are counted */
                        readonly accounts_total: number | null;
                        /** @description Share of the work that is done, from 0 to 1. Null until it is known */
                        readonly share: number | null;
                        /** @description Estimate of the seconds until the end. Null until there is one */
                        readonly seconds_left: number | null;
                    };
                    /** @description Why the last fill failed. Absent if none failed, or if the reason is only in the log */
                    readonly reason?: string;
                    /**
                     * Format: date-time
                     * @description Timestamp of the replica snapshot that the cache reflects. Null before the first fill
                     */
                    readonly snapshot_at: string | null;
                    /** @description Number of requests answered from the cache since the process started */
                    readonly answered: number;
                    /** @description Number of requests sent to the replica instead, by reason: `not_started`, `not_filled`, `refresh_failed`, `outdated`, `now_out_of_range`, `failed`, `dropped`, `waited_too_long`, `closing` */
                    readonly declined: {
                        readonly [key: string]: number;
                    };
                    /** @description Number of times that the cache was filled again, by reason: `settings`, `database_replaced`, `rows_gone`, `role_rights`, `many_customers`, `daily`, `replaced_rows`, `failure`, or another reason of the connector */
                    readonly refills: {
                        readonly [key: string]: number;
                    };
                };
                /** @description Absent if the configuration names no lake */
                readonly lake?: {
                    /** @description True if questions are answered */
                    readonly ok: boolean;
                    /**
                     * @description `stale`: the newest publication is of another version or other definitions, or too old. `none`: no publication answers
                     * @enum {string}
                     */
                    readonly status: "ready" | "stale" | "none";
                    /** @description Id of the publication that answers */
                    readonly publication: string | null;
                    /**
                     * Format: date-time
                     * @description Timestamp up to which its billing tables were surely complete
                     */
                    readonly data_through: string | null;
                    /** Format: date-time */
                    readonly made_at: string | null;
                    /** @description Age of the publication */
                    readonly age_seconds: number | null;
                    /** @description Why the status is not `ready`. Absent if it is */
                    readonly reason?: string;
                };
            };
        };
        /** @description The findings of `plumbline check`, and the steps of the setup */
        readonly Checks: {
            /** Format: date-time */
            readonly checked_at: string;
            /** @description The steps of the setup in their order. Null for the sample data */
            readonly setup: readonly components["schemas"]["SetupStep"][] | null;
            readonly findings: readonly components["schemas"]["CheckFinding"][];
        };
        /** @description A step of the setup. Its message is that of its findings */
        readonly SetupStep: {
            readonly name: string;
            readonly title: string;
            /**
             * @description `attention`: a finding is a warning or a failure
             * @enum {string}
             */
            readonly state: "done" | "todo" | "attention";
            readonly message: string;
            /** @description Command that resolves the finding */
            readonly command?: string;
            /** @description Lines of the configuration file that resolve the finding */
            readonly setting?: string;
        };
        /** @description A line of `plumbline check` */
        readonly CheckFinding: {
            readonly name: string;
            /**
             * @description `todo`: nothing is wrong, but a step of the setup is open
             * @enum {string}
             */
            readonly level: "ok" | "todo" | "warning" | "failure";
            readonly message: string;
            /** @description Command that resolves the finding */
            readonly command?: string;
            /** @description Lines of the configuration file that resolve the finding */
            readonly setting?: string;
        };
        /** @description The checks of a verification */
        readonly VerifyChecks: {
            readonly checks: readonly {
                /** @enum {string} */
                readonly name: "rates_complete" | "prices_complete" | "history_agrees" | "cached_equals_direct" | "rows_sum_to_numbers" | "waterfall_closes" | "movements_explain_customers" | "mrr_adds_up" | "breakdown_is_net_change" | "groups_add_up" | "filter_gives_group" | "segment_splits_total" | "retention_in_bounds" | "churned_customers_listed" | "lost_revenue_listed" | "trials_add_up" | "cohorts_begin_whole" | "usage_adds_up" | "arpu_times_customers" | "base_currency_unchanged" | "summary_agrees" | "books_roll_forward" | "books_balance" | "books_add_up" | "books_by_record";
                /** @description What holds if nothing is wrong */
                readonly description: string;
                /** @description Identities of the definitions that it checks */
                readonly identities: readonly string[];
            }[];
            /** @description Identities that no check covers */
            readonly unchecked: readonly {
                readonly identity: string;
                readonly reason: string;
            }[];
        };
        /** @description The results of all checks of a range */
        readonly VerifyReport: {
            /** @description False if a check failed */
            readonly ok: boolean;
            /** @description False if a check is not complete */
            readonly is_complete: boolean;
            /** Format: date */
            readonly start: string;
            /** Format: date */
            readonly end: string;
            readonly checks: readonly components["schemas"]["VerifyCheck"][];
            /**
             * Format: date-time
             * @description Instant up to which the data is complete. Null: the lag of the replica is unknown, or the time was over before a snapshot
             */
            readonly data_through: string | null;
        };
        /** @description The result of a check */
        readonly VerifyCheck: {
            readonly name: string;
            /** @description Null: the check does not apply to this data, or the time was over before any part of it was checked. The message says why */
            readonly ok: boolean | null;
            /** @description Of an equation that holds, or of the first fault */
            readonly expected?: number | null;
            readonly actual?: number | null;
            /** @description actual - expected */
            readonly difference?: number;
            /** @description Number of comparisons */
            readonly count: number;
            /** @description False if parts were not checked, mostly because the time was over. True for a check that does not apply */
            readonly is_complete: boolean;
            /** @description Parts of the check; 0 if it does not apply */
            readonly parts: number;
            /** @description Parts that were checked */
            readonly parts_done: number;
            readonly message: string;
            /** @description The first things that are wrong, at most ten: ids of customers and records, or names of questions and groups */
            readonly ids: readonly string[];
        };
    };
    responses: never;
    parameters: {
        /** @description Name of the metric: churn, expenses, involuntary_churn, ledger, ltv, mrr, retention, trials, usage_revenue */
        readonly path_metric: string;
        /** @description Part of a customer name, e-mail address or external key (case does not matter), or a complete id. */
        readonly search: string;
        /** @description Part of a name, number or description. Case does not matter. */
        readonly search_of_bills: string;
        /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
        readonly definitions: string;
        /** @description Which query of the metric to run. */
        readonly query_type: string;
        /** @description State at the end of this day; for today, the state now. Default: today. */
        readonly at: string;
        /** @description First day of the range, inclusive. */
        readonly start: string;
        /** @description First day, local to each account. Default: 90 days up to `end`. */
        readonly start_of_billing_health: string;
        /** @description First day, inclusive. */
        readonly start_of_notes: string;
        /** @description First document date, inclusive. */
        readonly start_of_bills: string;
        /** @description Last day of the range, inclusive. */
        readonly end: string;
        /** @description Last day, local to each account. Default and latest: yesterday. */
        readonly end_of_billing_health: string;
        /** @description Last day, inclusive. */
        readonly end_of_notes: string;
        /** @description Last document date, inclusive. */
        readonly end_of_bills: string;
        /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
        readonly range: string;
        /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, customer_created_month, collection_method, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
        readonly filter: readonly string[];
        /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, customer_created_month, collection_method, charge_kind, plan, subscription_id, bundle_id, invoice_id, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
        readonly filter_of_ledger_revenue: readonly string[];
        /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. */
        readonly filter_of_metric_bridge: readonly string[];
        /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, currency, account_type, vendor_id, vendor_name, class, department, project, txn_date, attr.X. */
        readonly filter_of_expenses: readonly string[];
        /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, started_at, converted_at, expired_at, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
        readonly filter_of_trials: readonly string[];
        /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, period_start, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
        readonly filter_of_usage_revenue: readonly string[];
        /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, phase_type, movement_source, pending_cancellation, mrr_band, arr_band, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
        readonly filter_of_mrr_components: readonly string[];
        /** @description `key=value`. Keys: `tenant`, `currency`, `age`, and every field of a segment. A field of the subscription, such as `billing_period`, keeps the rows of customers with such a running subscription. A field of the customer, such as `customer_country` or `attr.tier`, keeps the rows of customers that match now. Repeat a key to match any of its values. */
        readonly filter_of_invoice_ages: readonly string[];
        /** @description `key=value`. Keys: `tenant`, `currency`, `class`, `state`, `mark`, and every field of a segment. A field of the subscription, such as `billing_period`, filters the rows. A field of the customer, such as `customer_country` or `attr.tier`, keeps the rows of customers that match now. Repeat a key to match any of its values. */
        readonly filter_of_billing_health: readonly string[];
        /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
        readonly segment: string;
        /** @description true: days after today count too, with what the billing database already states about them. The summary then has two more figures. */
        readonly forecast: "true" | "false";
        /** @description Format of the response body. Overrides the Accept header. */
        readonly format: "json" | "csv" | "xlsx";
        /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
        readonly money: "cents" | "units";
        /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
        readonly explain: "true" | "false";
        /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
        readonly compare_segments: readonly string[];
        /** @description Ids or exact names of up to 10 segments. Repeatable. There is one answer for the customers of any of them, each counted once. */
        readonly compare_segments_of_churn_customers: readonly string[];
        /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
        readonly compare_to: "previous" | "year";
        /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
        readonly granularity: "day" | "week" | "month" | "quarter" | "year";
        /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
        readonly order: string;
        /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
        readonly limit: number;
        /** @description Rows per page, 1 to 1000. Default: 100. */
        readonly limit_of_metric_rows: number;
        /** @description Rows to skip before the page. Default: 0. */
        readonly offset: number | null;
        /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
        readonly rest: "true" | "false";
        /** @description Variant of the figure, if the endpoint has variants. */
        readonly type: "logo" | "revenue" | "detail" | "revenue_events";
        /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
        readonly dimensions: readonly (("source" | "source_id" | "tenant" | "currency" | "customer_id" | "customer_name" | "customer_country" | "customer_created_month" | "collection_method") | `attr.${string}`)[];
        /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
        readonly dimensions_of_ledger_revenue: readonly (("source" | "source_id" | "tenant" | "currency" | "customer_id" | "customer_name" | "customer_country" | "customer_created_month" | "collection_method" | "charge_kind" | "plan" | "subscription_id" | "bundle_id" | "invoice_id") | `attr.${string}`)[];
        /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
        readonly dimensions_of_expenses: readonly ("source" | "source_id" | "currency" | "account_type" | "vendor_id" | "vendor_name" | "class" | "department" | "project")[];
        /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
        readonly dimensions_of_ltv_sale_price: readonly (("source" | "source_id" | "tenant" | "currency" | "customer_id" | "customer_name" | "customer_country" | "cohort_month" | "customer_created_month" | "tenure_months" | "plan_id" | "plan_name" | "plan_interval" | "billing_period" | "pricing_model" | "usage_type" | "product_name" | "product_category" | "price_list" | "collection_method" | "bundle_id") | `attr.${string}`)[];
        /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
        readonly dimensions_of_trials: readonly (("source" | "source_id" | "tenant" | "customer_id" | "customer_name" | "customer_country" | "cohort_month" | "customer_created_month" | "tenure_months" | "plan_id" | "plan_name" | "plan_interval" | "billing_period" | "pricing_model" | "usage_type" | "product_name" | "product_category" | "price_list" | "collection_method" | "bundle_id") | `attr.${string}`)[];
        /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
        readonly dimensions_of_ltv: readonly (("source" | "source_id" | "tenant" | "currency" | "customer_id" | "customer_name" | "customer_country" | "cohort_month" | "customer_created_month") | `attr.${string}`)[];
        /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
        readonly dimensions_of_mrr: readonly (("source" | "source_id" | "tenant" | "currency" | "customer_id" | "customer_name" | "customer_country" | "cohort_month" | "customer_created_month" | "tenure_months" | "plan_id" | "plan_name" | "plan_interval" | "billing_period" | "pricing_model" | "usage_type" | "product_name" | "product_category" | "price_list" | "collection_method" | "bundle_id" | "phase_type" | "movement_source" | "pending_cancellation" | "mrr_band" | "arr_band" | "movement_type") | `attr.${string}`)[];
        /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
        readonly dimensions_of_mrr_components: readonly (("source" | "source_id" | "tenant" | "currency" | "customer_id" | "customer_name" | "customer_country" | "cohort_month" | "customer_created_month" | "tenure_months" | "plan_id" | "plan_name" | "plan_interval" | "billing_period" | "pricing_model" | "usage_type" | "product_name" | "product_category" | "price_list" | "collection_method" | "bundle_id" | "phase_type" | "movement_source" | "pending_cancellation" | "mrr_band" | "arr_band") | `attr.${string}`)[];
        /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
        readonly interval: "day" | "week" | "month" | "quarter" | "year";
        /** @description Ledger: days from the issue of an invoice to its due day. Default: that of the definitions. */
        readonly net_terms: number | null;
        /** @description Ledger: revenue by day, or in equal months. Default: that of the definitions. */
        readonly spread: "day" | "month";
        /** @description Ledger: a fixed price is revenue at once, or over the period of its phase. Default: that of the definitions. */
        readonly one_off: "at_once" | "over_period";
        /** @description Ledger: a charge for days before its invoice is revenue of these days, or of the day of the invoice. Default: that of the definitions. */
        readonly unbilled: "accrue" | "on_invoice";
        /** @description Ledger: kinds of charges that are revenue, separated by commas, or all. The others are other income. Default: those of the definitions. */
        readonly revenue_kinds: string;
        /** @description Ledger: only rows that were posted by this day count. Default: all. */
        readonly known_at: string;
        /** @description The month (YYYY-MM). It has been over for a day. Default: the last such month. */
        readonly period: string;
        /** @description Ledger: last days of the ages of receivables, growing numbers separated by commas. Default: those of the definitions. */
        readonly buckets: string;
        /** @description Ledger: open balances in base currency at the rate of their issue, or at that of the day shown. Default: that of the definitions. */
        readonly receivables_rate: "issued" | "closing";
        /** @description With compare_segments: true gives one table per segment instead of one for all of them. */
        readonly per_segment: "true" | "false";
        /** @description Only records with this tenant. Repeatable; any of the values matches. Name of the tenant. */
        readonly tenant: readonly string[];
        /** @description Only records with this currency. Repeatable; any of the values matches. Currency of the invoice. customer.currency is that of the account. */
        readonly currency: readonly string[];
        /** @description Only records with this currency. Repeatable; any of the values matches. Currency of the subscription. customer.currency is that of the account. */
        readonly currency_of_subscriptions: readonly string[];
        /** @description Only records with this currency. Repeatable; any of the values matches. Currency of the account. subscription.currency is that of the subscription. */
        readonly currency_of_billing_health: readonly string[];
        /** @description Only records with this currency. Repeatable; any of the values matches. Currency */
        readonly currency_of_bills: readonly string[];
        /** @description Only this tenant of the billing engine. */
        readonly source_id: string;
        /** @description Id of an expense source. Returns only records of this source. */
        readonly source_id_of_bills: string;
        /** @description Only records of the customer with this id. */
        readonly customer_id: string;
        /** @description Only records with this age. Repeatable; any of the values matches. 0-30, 31-60, 61-90, over-90 */
        readonly age: readonly ("0-30" | "31-60" | "61-90" | "over-90")[];
        readonly path_id: string;
        /** @description Id of the dashboard */
        readonly path_id_of_add_section: string;
        /** @description Account id, or the external key */
        readonly path_id_of_customer: string;
        /** @description Id of the source */
        readonly path_id_of_dead_letters: string;
        /** @description Only records with this class. Repeatable; any of the values matches. double_billed, stuck_draft, invoicing_failed, account_parked, overdue_block, invoicing_off, transferred, quantity_reverted, price_change_lost, not_billed, billed_after_end, price_differs, quantity_differs, other */
        readonly class: readonly ("double_billed" | "stuck_draft" | "invoicing_failed" | "account_parked" | "overdue_block" | "invoicing_off" | "transferred" | "quantity_reverted" | "price_change_lost" | "not_billed" | "billed_after_end" | "price_differs" | "quantity_differs" | "other")[];
        /** @description Only records with this state. Repeatable; any of the values matches. open if the finding reaches yesterday, else closed */
        readonly state: readonly ("open" | "closed")[];
        /** @description Only records with this mark. Repeatable; any of the values matches. none, seen, or no_error for findings that a person has marked as no error */
        readonly mark: readonly ("none" | "seen" | "no_error")[];
        /** @description Only records with this vendor_id. Repeatable; any of the values matches. Id of the vendor */
        readonly vendor_id: readonly string[];
        readonly path_key: string;
        /** @description Id of the section */
        readonly path_sid: string;
        /** @description Id of the placement (not of the chart) */
        readonly path_cid: string;
        /** @description File name */
        readonly path_file: string;
        /** @description Platform name, such as `quickbooks` */
        readonly path_type: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly metrics: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description Metric names in ascending order */
            readonly 200: {
                content: {
                    readonly "application/json": readonly string[];
                };
            };
        };
    };
    readonly tenants: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The tenants */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Tenant"][];
                };
            };
        };
    };
    readonly metric_fields: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                /** @description Name of the metric: churn, expenses, involuntary_churn, ledger, ltv, mrr, retention, trials, usage_revenue */
                readonly metric: components["parameters"]["path_metric"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The fields, each list sorted by key */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["MetricFields"];
                };
            };
        };
    };
    readonly field_values: {
        readonly parameters: {
            readonly query?: {
                /** @description Only values that contain this text, in any letters. */
                readonly search?: string;
            };
            readonly path: {
                /** @description Name of the metric: churn, expenses, involuntary_churn, ledger, ltv, mrr, retention, trials, usage_revenue */
                readonly metric: components["parameters"]["path_metric"];
                /** @description Key of the field */
                readonly field: string;
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The values */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["FieldValues"];
                };
            };
        };
    };
    readonly definitions: {
        readonly parameters: {
            readonly query?: {
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The set */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Definitions"];
                };
            };
        };
    };
    readonly metric_bridge: {
        readonly parameters: {
            readonly query: {
                /** @description Definition set at which the bridge begins */
                readonly from: string;
                /** @description Definition set at which it ends */
                readonly to: string;
                /** @description Which query of the metric to run. */
                readonly query_type?: components["parameters"]["query_type"];
                /** @description State at the end of this day; for today, the state now. Default: today. */
                readonly at?: components["parameters"]["at"];
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. */
                readonly filter?: components["parameters"]["filter_of_metric_bridge"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description true: days after today count too, with what the billing database already states about them. The summary then has two more figures. */
                readonly forecast?: components["parameters"]["forecast"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path: {
                /** @description Name of the metric: churn, expenses, involuntary_churn, ledger, ltv, mrr, retention, trials, usage_revenue */
                readonly metric: components["parameters"]["path_metric"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The bridge */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Bridge"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly summary: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Day of the levels and end of the windows. Default: today. */
                readonly end?: string;
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Same as `end`. */
                readonly at?: string;
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. */
                readonly filter?: components["parameters"]["filter_of_metric_bridge"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
                /** @description true: days after today count too, with what the billing database already states about them. The summary then has two more figures. */
                readonly forecast?: components["parameters"]["forecast"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The headline metrics */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Summary"] | components["schemas"]["ComparedSummary"] | readonly components["schemas"]["SegmentSummary"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly churn: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Variant of the figure, if the endpoint has variants. */
                readonly type?: components["parameters"]["type"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: readonly (("source" | "source_id" | "tenant" | "currency" | "customer_id" | "customer_name" | "customer_country" | "cohort_month" | "customer_created_month" | "tenure_months" | "churn_type" | "cancel_reason" | "plan_id" | "plan_name" | "plan_interval" | "billing_period" | "pricing_model" | "usage_type" | "product_name" | "product_category" | "price_list" | "collection_method" | "bundle_id" | "phase_type" | "movement_source") | `attr.${string}`)[];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, churn_type, cancel_reason, occurred_at, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, phase_type, movement_source, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": number | components["schemas"]["ComparedFigure"] | readonly components["schemas"]["ChurnRow"][] | readonly components["schemas"]["ChurnRevenueRow"][] | readonly components["schemas"]["ChurnDetailRow"][] | readonly components["schemas"]["ChurnRevenueEventsRow"][] | null;
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly churn_customers: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments. Repeatable. There is one answer for the customers of any of them, each counted once. */
                readonly compare_segments?: components["parameters"]["compare_segments_of_churn_customers"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Variant of the figure, if the endpoint has variants. */
                readonly type?: components["parameters"]["type"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, churn_type, cancel_reason, occurred_at, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["ChurnDetailRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly churn_revenue_events: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments. Repeatable. There is one answer for the customers of any of them, each counted once. */
                readonly compare_segments?: components["parameters"]["compare_segments_of_churn_customers"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Variant of the figure, if the endpoint has variants. */
                readonly type?: components["parameters"]["type"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, phase_type, movement_source, churn_type, cancel_reason, occurred_at, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["ChurnRevenueEventsRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly expenses: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_expenses"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, currency, account_type, vendor_id, vendor_name, class, department, project, txn_date, attr.X. */
                readonly filter?: components["parameters"]["filter_of_expenses"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Expenses"] | readonly components["schemas"]["ExpensesRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly expenses_by_account_type: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_expenses"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, currency, account_type, vendor_id, vendor_name, class, department, project, txn_date, attr.X. */
                readonly filter?: components["parameters"]["filter_of_expenses"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["ExpensesByAccountTypeRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly expenses_by_vendor: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_expenses"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, currency, account_type, vendor_id, vendor_name, class, department, project, txn_date, attr.X. */
                readonly filter?: components["parameters"]["filter_of_expenses"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["ExpensesByVendorRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly expenses_series: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_expenses"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, currency, account_type, vendor_id, vendor_name, class, department, project, txn_date, attr.X. */
                readonly filter?: components["parameters"]["filter_of_expenses"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["ExpensesSeriesRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly churn_involuntary: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Ledger: days from the issue of an invoice to its due day. Default: that of the definitions. */
                readonly net_terms?: components["parameters"]["net_terms"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: readonly (("source" | "source_id" | "tenant" | "customer_id" | "customer_name" | "customer_country" | "cohort_month" | "customer_created_month" | "tenure_months") | `attr.${string}`)[];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": number | components["schemas"]["ComparedFigure"] | readonly components["schemas"]["InvoluntaryChurnRow"][] | null;
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly churn_involuntary_revenue: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Ledger: days from the issue of an invoice to its due day. Default: that of the definitions. */
                readonly net_terms?: components["parameters"]["net_terms"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: readonly (("source" | "source_id" | "tenant" | "customer_id" | "customer_name" | "customer_country" | "cohort_month" | "customer_created_month" | "tenure_months" | "currency" | "plan_id" | "plan_name" | "plan_interval" | "billing_period" | "pricing_model" | "usage_type" | "product_name" | "product_category" | "price_list" | "collection_method" | "bundle_id" | "phase_type") | `attr.${string}`)[];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, currency, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, phase_type, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": number | components["schemas"]["ComparedFigure"] | readonly components["schemas"]["InvoluntaryChurnRevenueRow"][] | null;
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_revenue: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Ledger: revenue by day, or in equal months. Default: that of the definitions. */
                readonly spread?: components["parameters"]["spread"];
                /** @description Ledger: a fixed price is revenue at once, or over the period of its phase. Default: that of the definitions. */
                readonly one_off?: components["parameters"]["one_off"];
                /** @description Ledger: a charge for days before its invoice is revenue of these days, or of the day of the invoice. Default: that of the definitions. */
                readonly unbilled?: components["parameters"]["unbilled"];
                /** @description Ledger: kinds of charges that are revenue, separated by commas, or all. The others are other income. Default: those of the definitions. */
                readonly revenue_kinds?: components["parameters"]["revenue_kinds"];
                /** @description Ledger: only rows that were posted by this day count. Default: all. */
                readonly known_at?: components["parameters"]["known_at"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_ledger_revenue"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, customer_created_month, collection_method, charge_kind, plan, subscription_id, bundle_id, invoice_id, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter_of_ledger_revenue"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["LedgerRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_recognized: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Ledger: revenue by day, or in equal months. Default: that of the definitions. */
                readonly spread?: components["parameters"]["spread"];
                /** @description Ledger: a fixed price is revenue at once, or over the period of its phase. Default: that of the definitions. */
                readonly one_off?: components["parameters"]["one_off"];
                /** @description Ledger: a charge for days before its invoice is revenue of these days, or of the day of the invoice. Default: that of the definitions. */
                readonly unbilled?: components["parameters"]["unbilled"];
                /** @description Ledger: kinds of charges that are revenue, separated by commas, or all. The others are other income. Default: those of the definitions. */
                readonly revenue_kinds?: components["parameters"]["revenue_kinds"];
                /** @description Ledger: only rows that were posted by this day count. Default: all. */
                readonly known_at?: components["parameters"]["known_at"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_ledger_revenue"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, customer_created_month, collection_method, charge_kind, plan, subscription_id, bundle_id, invoice_id, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter_of_ledger_revenue"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": number | components["schemas"]["ComparedFigure"] | readonly components["schemas"]["LedgerRecognizedRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_deferred: {
        readonly parameters: {
            readonly query?: {
                /** @description The month (YYYY-MM). It has been over for a day. Default: the last such month. */
                readonly period?: components["parameters"]["period"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Ledger: revenue by day, or in equal months. Default: that of the definitions. */
                readonly spread?: components["parameters"]["spread"];
                /** @description Ledger: a fixed price is revenue at once, or over the period of its phase. Default: that of the definitions. */
                readonly one_off?: components["parameters"]["one_off"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_ledger_revenue"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, customer_created_month, collection_method, charge_kind, plan, subscription_id, bundle_id, invoice_id, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter_of_ledger_revenue"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["LedgerDeferredRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_waterfall: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Ledger: revenue by day, or in equal months. Default: that of the definitions. */
                readonly spread?: components["parameters"]["spread"];
                /** @description Ledger: a fixed price is revenue at once, or over the period of its phase. Default: that of the definitions. */
                readonly one_off?: components["parameters"]["one_off"];
                /** @description Ledger: a charge for days before its invoice is revenue of these days, or of the day of the invoice. Default: that of the definitions. */
                readonly unbilled?: components["parameters"]["unbilled"];
                /** @description Ledger: kinds of charges that are revenue, separated by commas, or all. The others are other income. Default: those of the definitions. */
                readonly revenue_kinds?: components["parameters"]["revenue_kinds"];
                /** @description Ledger: only rows that were posted by this day count. Default: all. */
                readonly known_at?: components["parameters"]["known_at"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_ledger_revenue"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, customer_created_month, collection_method, charge_kind, plan, subscription_id, bundle_id, invoice_id, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter_of_ledger_revenue"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["LedgerWaterfallRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_receivables: {
        readonly parameters: {
            readonly query?: {
                /** @description State at the end of this day; for today, the state now. Default: today. */
                readonly at?: components["parameters"]["at"];
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Ledger: days from the issue of an invoice to its due day. Default: that of the definitions. */
                readonly net_terms?: components["parameters"]["net_terms"];
                /** @description Ledger: last days of the ages of receivables, growing numbers separated by commas. Default: those of the definitions. */
                readonly buckets?: components["parameters"]["buckets"];
                /** @description Ledger: open balances in base currency at the rate of their issue, or at that of the day shown. Default: that of the definitions. */
                readonly receivables_rate?: components["parameters"]["receivables_rate"];
                /** @description Ledger: only rows that were posted by this day count. Default: all. */
                readonly known_at?: components["parameters"]["known_at"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, customer_created_month, collection_method, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["LedgerReceivablesPoint"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_receivables_movements: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Ledger: open balances in base currency at the rate of their issue, or at that of the day shown. Default: that of the definitions. */
                readonly receivables_rate?: components["parameters"]["receivables_rate"];
                /** @description Ledger: only rows that were posted by this day count. Default: all. */
                readonly known_at?: components["parameters"]["known_at"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, customer_created_month, collection_method, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["LedgerMovementsRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_cash: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Ledger: only rows that were posted by this day count. Default: all. */
                readonly known_at?: components["parameters"]["known_at"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, customer_created_month, collection_method, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["LedgerCashRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_credits: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Ledger: only rows that were posted by this day count. Default: all. */
                readonly known_at?: components["parameters"]["known_at"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, customer_created_month, collection_method, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["LedgerCreditsRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_trial_balance: {
        readonly parameters: {
            readonly query?: {
                /** @description State at the end of this day; for today, the state now. Default: today. */
                readonly at?: components["parameters"]["at"];
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Ledger: revenue by day, or in equal months. Default: that of the definitions. */
                readonly spread?: components["parameters"]["spread"];
                /** @description Ledger: a fixed price is revenue at once, or over the period of its phase. Default: that of the definitions. */
                readonly one_off?: components["parameters"]["one_off"];
                /** @description Ledger: a charge for days before its invoice is revenue of these days, or of the day of the invoice. Default: that of the definitions. */
                readonly unbilled?: components["parameters"]["unbilled"];
                /** @description Ledger: kinds of charges that are revenue, separated by commas, or all. The others are other income. Default: those of the definitions. */
                readonly revenue_kinds?: components["parameters"]["revenue_kinds"];
                /** @description Ledger: open balances in base currency at the rate of their issue, or at that of the day shown. Default: that of the definitions. */
                readonly receivables_rate?: components["parameters"]["receivables_rate"];
                /** @description Ledger: only rows that were posted by this day count. Default: all. */
                readonly known_at?: components["parameters"]["known_at"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, customer_created_month, collection_method, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["LedgerTrialBalanceRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_mrr_bridge: {
        readonly parameters: {
            readonly query?: {
                /** @description The month (YYYY-MM). It has been over for a day. Default: the last such month. */
                readonly period?: components["parameters"]["period"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Ledger: revenue by day, or in equal months. Default: that of the definitions. */
                readonly spread?: components["parameters"]["spread"];
                /** @description Ledger: a fixed price is revenue at once, or over the period of its phase. Default: that of the definitions. */
                readonly one_off?: components["parameters"]["one_off"];
                /** @description Ledger: a charge for days before its invoice is revenue of these days, or of the day of the invoice. Default: that of the definitions. */
                readonly unbilled?: components["parameters"]["unbilled"];
                /** @description Ledger: kinds of charges that are revenue, separated by commas, or all. The others are other income. Default: those of the definitions. */
                readonly revenue_kinds?: components["parameters"]["revenue_kinds"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: readonly (("source" | "source_id" | "tenant" | "currency" | "customer_id" | "customer_name" | "customer_country" | "customer_created_month" | "collection_method" | "subscription_id" | "bundle_id") | `attr.${string}`)[];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, customer_created_month, collection_method, subscription_id, bundle_id, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["LedgerMrrBridge"] | readonly components["schemas"]["LedgerMrrBridgeRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_dso: {
        readonly parameters: {
            readonly query?: {
                /** @description State at the end of this day; for today, the state now. Default: today. */
                readonly at?: components["parameters"]["at"];
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Ledger: open balances in base currency at the rate of their issue, or at that of the day shown. Default: that of the definitions. */
                readonly receivables_rate?: components["parameters"]["receivables_rate"];
                /** @description Ledger: only rows that were posted by this day count. Default: all. */
                readonly known_at?: components["parameters"]["known_at"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, customer_created_month, collection_method, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["LedgerDso"] | readonly components["schemas"]["LedgerDsoPoint"][] | readonly components["schemas"]["LedgerDsoSeriesRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_collections: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Ledger: days from the first failure within which a payment recovers an invoice. Default: that of the definitions. */
                readonly recovery_window?: number;
                /** @description Ledger: only rows that were posted by this day count. Default: all. */
                readonly known_at?: components["parameters"]["known_at"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: readonly (("source" | "source_id" | "tenant" | "currency" | "customer_id" | "customer_name" | "customer_country" | "customer_created_month" | "collection_method" | "gateway_error" | "payment_method" | "obstacle") | `attr.${string}`)[];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, customer_created_month, collection_method, gateway_error, payment_method, obstacle, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["LedgerCollectionsRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_corrections: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Ledger: revenue by day, or in equal months. Default: that of the definitions. */
                readonly spread?: components["parameters"]["spread"];
                /** @description Ledger: a fixed price is revenue at once, or over the period of its phase. Default: that of the definitions. */
                readonly one_off?: components["parameters"]["one_off"];
                /** @description Ledger: a charge for days before its invoice is revenue of these days, or of the day of the invoice. Default: that of the definitions. */
                readonly unbilled?: components["parameters"]["unbilled"];
                /** @description Ledger: kinds of charges that are revenue, separated by commas, or all. The others are other income. Default: those of the definitions. */
                readonly revenue_kinds?: components["parameters"]["revenue_kinds"];
                /** @description Ledger: only rows that were posted by this day count. Default: all. */
                readonly known_at?: components["parameters"]["known_at"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_ledger_revenue"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, customer_created_month, collection_method, charge_kind, plan, subscription_id, bundle_id, invoice_id, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter_of_ledger_revenue"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["LedgerCorrectionsRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ltv: {
        readonly parameters: {
            readonly query?: {
                /** @description State at the end of this day; for today, the state now. Default: today. */
                readonly at?: components["parameters"]["at"];
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_ltv"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": number | components["schemas"]["ComparedFigure"] | readonly components["schemas"]["LtvRow"][] | null;
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ltv_arpu: {
        readonly parameters: {
            readonly query?: {
                /** @description State at the end of this day; for today, the state now. Default: today. */
                readonly at?: components["parameters"]["at"];
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: readonly (("source" | "source_id" | "tenant" | "currency" | "customer_id" | "customer_name" | "customer_country" | "cohort_month" | "customer_created_month" | "tenure_months" | "plan_id" | "plan_name" | "plan_interval" | "billing_period" | "pricing_model" | "usage_type" | "product_name" | "product_category" | "price_list" | "collection_method" | "bundle_id" | "pending_cancellation" | "mrr_band" | "arr_band") | `attr.${string}`)[];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, pending_cancellation, mrr_band, arr_band, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": number | components["schemas"]["ComparedFigure"] | readonly components["schemas"]["LtvArpuPoint"][] | readonly components["schemas"]["LtvArpuSeriesRow"][] | null;
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ltv_sale_price: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_ltv_sale_price"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": number | components["schemas"]["ComparedFigure"] | readonly components["schemas"]["LtvSalePriceRow"][] | null;
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ltv_cohort: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments. Repeatable. There is one answer for the customers of any of them, each counted once. */
                readonly compare_segments?: components["parameters"]["compare_segments_of_churn_customers"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description With compare_segments: true gives one table per segment instead of one for all of them. */
                readonly per_segment?: components["parameters"]["per_segment"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_ltv"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, paid_at, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["LtvCohortRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly mrr: {
        readonly parameters: {
            readonly query?: {
                /** @description State at the end of this day; for today, the state now. Default: today. */
                readonly at?: components["parameters"]["at"];
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description true: days after today count too, with what the billing database already states about them. The summary then has two more figures. */
                readonly forecast?: components["parameters"]["forecast"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_mrr"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, phase_type, movement_source, pending_cancellation, mrr_band, arr_band, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, movement_type, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": number | components["schemas"]["ComparedFigure"] | readonly components["schemas"]["MrrPoint"][] | readonly components["schemas"]["MrrSeriesRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly arr: {
        readonly parameters: {
            readonly query?: {
                /** @description State at the end of this day; for today, the state now. Default: today. */
                readonly at?: components["parameters"]["at"];
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description true: days after today count too, with what the billing database already states about them. The summary then has two more figures. */
                readonly forecast?: components["parameters"]["forecast"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_mrr"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, phase_type, movement_source, pending_cancellation, mrr_band, arr_band, movement_type, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": number | components["schemas"]["ComparedFigure"] | readonly components["schemas"]["MrrArrPoint"][] | readonly components["schemas"]["MrrArrSeriesRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly mrr_components: {
        readonly parameters: {
            readonly query?: {
                /** @description State at the end of this day; for today, the state now. Default: today. */
                readonly at?: components["parameters"]["at"];
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description true: days after today count too, with what the billing database already states about them. The summary then has two more figures. */
                readonly forecast?: components["parameters"]["forecast"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_mrr_components"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, phase_type, movement_source, pending_cancellation, mrr_band, arr_band, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter_of_mrr_components"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["MrrComponents"] | readonly components["schemas"]["MrrComponentsPoint"][] | readonly components["schemas"]["MrrComponentsSeriesRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly mrr_breakdown: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description true: days after today count too, with what the billing database already states about them. The summary then has two more figures. */
                readonly forecast?: components["parameters"]["forecast"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: readonly (("source" | "source_id" | "tenant" | "currency" | "customer_id" | "customer_name" | "customer_country" | "cohort_month" | "customer_created_month" | "tenure_months" | "plan_id" | "plan_name" | "plan_interval" | "billing_period" | "pricing_model" | "usage_type" | "product_name" | "product_category" | "price_list" | "collection_method" | "bundle_id" | "phase_type" | "movement_source" | "movement_type") | `attr.${string}`)[];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, phase_type, movement_source, movement_type, occurred_at, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["MrrBreakdownRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly mrr_waterfall: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description true: days after today count too, with what the billing database already states about them. The summary then has two more figures. */
                readonly forecast?: components["parameters"]["forecast"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_mrr_components"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, phase_type, movement_source, pending_cancellation, mrr_band, arr_band, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter_of_mrr_components"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["MrrWaterfallRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly mrr_why: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments. Repeatable. There is one answer for the customers of any of them, each counted once. */
                readonly compare_segments?: components["parameters"]["compare_segments_of_churn_customers"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Movements to list, 1 to 1000. Default 10. */
                readonly limit?: number;
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, phase_type, movement_source, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["MrrWhy"] | readonly components["schemas"]["MrrWhyRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly retention: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description With compare_segments: true gives one table per segment instead of one for all of them. */
                readonly per_segment?: components["parameters"]["per_segment"];
                /** @description Which query of the metric to run. */
                readonly query_type?: "cohort_matrix" | "revenue_cohort_matrix" | "nrr" | "grr";
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: readonly (("source" | "source_id" | "tenant" | "customer_id" | "customer_name" | "customer_country" | "cohort_month" | "customer_created_month" | "currency" | "tenure_months" | "plan_id" | "plan_name" | "plan_interval" | "billing_period" | "pricing_model" | "usage_type" | "product_name" | "product_category" | "price_list" | "collection_method" | "bundle_id") | `attr.${string}`)[];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, customer_id, customer_name, customer_country, cohort_month, customer_created_month, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, currency, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["RetentionRow"][] | readonly components["schemas"]["RetentionRevenueCohortMatrixRow"][] | number | components["schemas"]["ComparedFigure"] | readonly components["schemas"]["RetentionNrrRow"][] | readonly components["schemas"]["RetentionGrrRow"][] | null;
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly trials: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_trials"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, started_at, converted_at, expired_at, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter_of_trials"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": number | components["schemas"]["ComparedFigure"] | readonly components["schemas"]["TrialsRow"][] | null;
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly trials_funnel: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_trials"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, started_at, converted_at, expired_at, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter_of_trials"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["TrialsFunnel"] | readonly components["schemas"]["TrialsFunnelRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly trials_time_to_convert: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: readonly (("source" | "source_id" | "tenant" | "customer_id" | "customer_name" | "customer_country" | "cohort_month" | "customer_created_month" | "tenure_months" | "plan_id" | "plan_name" | "plan_interval" | "billing_period" | "pricing_model" | "usage_type" | "product_name" | "product_category" | "price_list" | "collection_method" | "bundle_id" | "days_to_convert") | `attr.${string}`)[];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, days_to_convert, started_at, converted_at, expired_at, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": number | components["schemas"]["ComparedFigure"] | readonly components["schemas"]["TrialsTimeToConvertRow"][] | null;
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly trials_series: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_trials"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, started_at, converted_at, expired_at, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter_of_trials"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["TrialsSeriesRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly usage_revenue: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_ltv_sale_price"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, period_start, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter_of_usage_revenue"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": number | components["schemas"]["ComparedFigure"] | readonly components["schemas"]["UsageRevenueRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly usage_revenue_series: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_ltv_sale_price"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, period_start, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter_of_usage_revenue"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["UsageRevenueSeriesRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly usage_revenue_by_customer: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description Fields to sort by, separated by commas. `-` before a field sorts it descending. Nulls come last. */
                readonly order?: components["parameters"]["order"];
                /** @description Most rows to show, from 1 to `limits.max_rows`. Default: all. */
                readonly limit?: components["parameters"]["limit"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description With limit: true adds one row, marked is_rest, that sums up all rows not shown. */
                readonly rest?: components["parameters"]["rest"];
                /** @description Compare each figure with an earlier time. previous: as many days before. For whole calendar periods: as many periods before. For a named range up to today: the same days, as many periods before. year: one year before. */
                readonly compare_to?: components["parameters"]["compare_to"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: components["parameters"]["dimensions_of_ltv_sale_price"];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. Keys: source, source_id, tenant, currency, customer_id, customer_name, customer_country, cohort_month, customer_created_month, tenure_months, plan_id, plan_name, plan_interval, billing_period, pricing_model, usage_type, product_name, product_category, price_list, collection_method, bundle_id, period_start, customer.id, customer.external_key, customer.name, customer.email, customer.country, customer.currency, customer.created_at, customer.company_name, customer.city, customer.state, customer.postal_code, customer.locale, customer.time_zone, attr.X. */
                readonly filter?: components["parameters"]["filter_of_usage_revenue"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["UsageRevenueByCustomerRow"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly metric_rows: {
        readonly parameters: {
            readonly query?: {
                /** @description Which query of the metric to run. */
                readonly query_type?: components["parameters"]["query_type"];
                /** @description Variant of the figure, if the endpoint has variants. */
                readonly type?: string;
                /** @description State at the end of this day; for today, the state now. Default: today. */
                readonly at?: components["parameters"]["at"];
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Length of a period: day, week (ISO), month, quarter or year. Default: month. */
                readonly interval?: components["parameters"]["interval"];
                /** @description One row per period of this length. Same as interval, where the endpoint has interval. */
                readonly granularity?: components["parameters"]["granularity"];
                /** @description Dimensions to group by; customer attributes as `attr.<key>`. Repeatable, or separated by commas. */
                readonly dimensions?: readonly string[];
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. */
                readonly filter?: components["parameters"]["filter_of_metric_bridge"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
                /** @description true: days after today count too, with what the billing database already states about them. The summary then has two more figures. */
                readonly forecast?: components["parameters"]["forecast"];
                /** @description Ids or exact names of up to 10 segments to compare. Repeatable. */
                readonly compare_segments?: components["parameters"]["compare_segments"];
                /** @description With compare_segments: true gives one table per segment instead of one for all of them. */
                readonly per_segment?: components["parameters"]["per_segment"];
                /** @description The number whose rows to show: a sum, a count, or the numerator or denominator of a ratio. */
                readonly measure?: string;
                /** @description Period of the number, as the answer names it, or `all` for the number of the whole range. */
                readonly period?: string | "all";
                /** @description Movement type of the number. */
                readonly movement_type?: string;
                /** @description Cohort of the number. */
                readonly cohort_month?: string;
                /** @description Active month of the number. */
                readonly active_month?: string;
                /** @description Month of recognition of the number, or `later`. */
                readonly recognized_month?: string;
                /** @description Group of the number as key=value, once for each dimension, for `segment_id` in a comparison, and for `customer_id` in a list of customers. A key without `=` means the group without a value. */
                readonly group?: readonly string[];
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description true: the answer as `result`, with the statements that ran, their values, the definitions and what was left out. Only in JSON. */
                readonly explain?: components["parameters"]["explain"];
                /** @description With `bridge_step`: definition set at which the bridge begins */
                readonly from?: string;
                /** @description With `bridge_step`: definition set at which the bridge ends */
                readonly to?: string;
                /** @description Option of a step of the bridge: only the rows that the step changes, which make its difference */
                readonly bridge_step?: string;
            };
            readonly path: {
                /** @description Name of the metric: churn, expenses, involuntary_churn, ledger, ltv, mrr, retention, trials, usage_revenue */
                readonly metric: components["parameters"]["path_metric"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of rows, with the number they add up to */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["CountedRowPage"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly query_metric: {
        readonly parameters: {
            readonly query?: {
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
            };
            readonly path: {
                /** @description Name of the metric: churn, expenses, involuntary_churn, ledger, ltv, mrr, retention, trials, usage_revenue */
                readonly metric: components["parameters"]["path_metric"];
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["MetricQuery"];
            };
        };
        readonly responses: {
            /** @description The result */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["MetricAnswer"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly customers: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this tenant. Repeatable; any of the values matches. Name of the tenant. */
                readonly tenant?: components["parameters"]["tenant"];
                /** @description Only records with this country. Repeatable; any of the values matches. Country of the account. */
                readonly country?: readonly string[];
                /** @description Only records with this currency. Repeatable; any of the values matches. Currency of the amounts: that of the running subscriptions, else that of the account, which is customer.currency. */
                readonly currency?: readonly string[];
                /** @description Only records with this status. Repeatable; any of the values matches. active, free, paused, trialing, churned, lead */
                readonly status?: readonly ("active" | "free" | "paused" | "trialing" | "churned" | "lead")[];
                /** @description Sort fields, comma-separated. Prefix a field with `-` for descending order. Nulls come last. Fields: `id`, `source_id`, `tenant`, `external_key`, `name`, `email`, `country`, `currency`, `status`, `created_at`, `first_active_at`, `churned_at`, `live_subscriptions`, `mrr_cents`, `mrr_base_cents`. */
                readonly order?: string;
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Part of a customer name, e-mail address or external key (case does not matter), or a complete id. */
                readonly search?: components["parameters"]["search"];
                /** @description Only this tenant of the billing engine. */
                readonly source_id?: components["parameters"]["source_id"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description `key=value`. Keys: `tenant`, `country`, `currency`, `status`, and every field of a segment. A field of the subscription, such as `billing_period`, keeps the rows of customers with such a running subscription. A field of the customer, such as `customer_country` or `attr.tier`, keeps the rows of customers that match now. Repeat a key to match any of its values. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of rows, with the total number */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["CustomerPage"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly subscriptions: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this tenant. Repeatable; any of the values matches. Name of the tenant. */
                readonly tenant?: components["parameters"]["tenant"];
                /** @description Only records with this status. Repeatable; any of the values matches. pending, trialing, active, paused, canceled */
                readonly status?: readonly ("pending" | "trialing" | "active" | "paused" | "canceled")[];
                /** @description Only records with this plan_id. Repeatable; any of the values matches. Plan of the subscription. */
                readonly plan_id?: readonly string[];
                /** @description Only records with this product_name. Repeatable; any of the values matches. Product of the plan of the subscription. */
                readonly product_name?: readonly string[];
                /** @description Only records with this currency. Repeatable; any of the values matches. Currency of the subscription. customer.currency is that of the account. */
                readonly currency?: components["parameters"]["currency_of_subscriptions"];
                /** @description Sort fields, comma-separated. Prefix a field with `-` for descending order. Nulls come last. Fields: `id`, `source_id`, `tenant`, `external_key`, `bundle_id`, `bundle_external_key`, `customer_id`, `customer_name`, `status`, `plan_id`, `plan_name`, `plan_interval`, `billing_period`, `product_name`, `product_category`, `price_list`, `phase_type`, `collection_method`, `currency`, `quantity`, `mrr_cents`, `mrr_base_cents`, `usage_mrr_base_cents`, `created_at`, `started_at`, `charged_through`, `pending_cancellation`, `canceled_at`, `ended_at`. */
                readonly order?: string;
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Part of a customer name, e-mail address or external key (case does not matter), or a complete id. */
                readonly search?: components["parameters"]["search"];
                /** @description Only this tenant of the billing engine. */
                readonly source_id?: components["parameters"]["source_id"];
                /** @description Only records of the customer with this id. */
                readonly customer_id?: components["parameters"]["customer_id"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description `key=value`. Keys: `tenant`, `status`, `plan_id`, `product_name`, `currency`, and every field of a segment. A field of the subscription, such as `billing_period`, filters the rows. A field of the customer, such as `customer_country` or `attr.tier`, keeps the rows of customers that match now. Repeat a key to match any of its values. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of rows, with the total number */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["SubscriptionPage"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly invoices: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this tenant. Repeatable; any of the values matches. Name of the tenant. */
                readonly tenant?: components["parameters"]["tenant"];
                /** @description Only records with this status. Repeatable; any of the values matches. draft, void, paid, uncollectible, open */
                readonly status?: readonly ("draft" | "void" | "paid" | "uncollectible" | "open")[];
                /** @description Only records with this currency. Repeatable; any of the values matches. Currency of the invoice. customer.currency is that of the account. */
                readonly currency?: components["parameters"]["currency"];
                /** @description Only records with this age. Repeatable; any of the values matches. 0-30, 31-60, 61-90, over-90 */
                readonly age?: components["parameters"]["age"];
                /** @description Sort fields, comma-separated. Prefix a field with `-` for descending order. Nulls come last. Fields: `id`, `source_id`, `tenant`, `number`, `customer_id`, `customer_name`, `status`, `currency`, `age`, `invoice_date`, `created_at`, `paid_at`, `voided_at`, `tax_cents`, `total_cents`, `usage_cents`, `amount_paid_cents`, `balance_cents`, `total_base_cents`, `balance_base_cents`, `days_open`. */
                readonly order?: string;
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Part of a customer name, e-mail address or external key (case does not matter), or a complete id. */
                readonly search?: components["parameters"]["search"];
                /** @description Only this tenant of the billing engine. */
                readonly source_id?: components["parameters"]["source_id"];
                /** @description Only records of the customer with this id. */
                readonly customer_id?: components["parameters"]["customer_id"];
                /** @description Only open invoices (D90) dated at least this many days ago. */
                readonly open_for_days?: number | null;
                /** @description First `invoice_date`, inclusive, in the time zone of the account. */
                readonly start?: string;
                /** @description Last `invoice_date`, inclusive, in the time zone of the account. */
                readonly end?: string;
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description `key=value`. Keys: `tenant`, `status`, `currency`, `age`, and every field of a segment. A field of the subscription, such as `billing_period`, keeps the rows of customers with such a running subscription. A field of the customer, such as `customer_country` or `attr.tier`, keeps the rows of customers that match now. Repeat a key to match any of its values. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of rows, with the total number */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["InvoicePage"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly invoice_ages: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this tenant. Repeatable; any of the values matches. Name of the tenant. */
                readonly tenant?: components["parameters"]["tenant"];
                /** @description Only records with this currency. Repeatable; any of the values matches. Currency of the invoice. customer.currency is that of the account. */
                readonly currency?: components["parameters"]["currency"];
                /** @description Only records with this age. Repeatable; any of the values matches. 0-30, 31-60, 61-90, over-90 */
                readonly age?: components["parameters"]["age"];
                /** @description Part of a customer name, e-mail address or external key (case does not matter), or a complete id. */
                readonly search?: components["parameters"]["search"];
                /** @description Only this tenant of the billing engine. */
                readonly source_id?: components["parameters"]["source_id"];
                /** @description Only records of the customer with this id. */
                readonly customer_id?: components["parameters"]["customer_id"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description `key=value`. Keys: `tenant`, `currency`, `age`, and every field of a segment. A field of the subscription, such as `billing_period`, keeps the rows of customers with such a running subscription. A field of the customer, such as `customer_country` or `attr.tier`, keeps the rows of customers that match now. Repeat a key to match any of its values. */
                readonly filter?: components["parameters"]["filter_of_invoice_ages"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The ages */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["InvoiceAge"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly renewals: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this tenant. Repeatable; any of the values matches. Name of the tenant. */
                readonly tenant?: components["parameters"]["tenant"];
                /** @description Only records with this plan_id. Repeatable; any of the values matches. Plan from the renewal on. */
                readonly plan_id?: readonly string[];
                /** @description Only records with this currency. Repeatable; any of the values matches. Currency of the subscription. customer.currency is that of the account. */
                readonly currency?: components["parameters"]["currency_of_subscriptions"];
                /** @description Only records with this ends. Repeatable; any of the values matches. period, fixed_term */
                readonly ends?: readonly ("period" | "fixed_term")[];
                /** @description Only records with this term. Repeatable; any of the values matches. contract: a fixed term, or a billed period of more than a month. monthly: all others. */
                readonly term?: readonly ("contract" | "monthly")[];
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Part of a customer name, e-mail address or external key (case does not matter), or a complete id. */
                readonly search?: components["parameters"]["search"];
                /** @description Only this tenant of the billing engine. */
                readonly source_id?: components["parameters"]["source_id"];
                /** @description Only records of the customer with this id. */
                readonly customer_id?: components["parameters"]["customer_id"];
                /** @description First day. Default and earliest: tomorrow. */
                readonly start?: string;
                /** @description Last day. Default: the end of the twelfth month after that of `start`, at most five years after today. */
                readonly end?: string;
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description `key=value`. Keys: `tenant`, `plan_id`, `currency`, `ends`, `term`, and every field of a segment. A field of the subscription, such as `billing_period`, filters the rows. A field of the customer, such as `customer_country` or `attr.tier`, keeps the rows of customers that match now. Repeat a key to match any of its values. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of renewals, with the sums of all months */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["RenewalPage"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly billings: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this tenant. Repeatable; any of the values matches. Name of the tenant. */
                readonly tenant?: components["parameters"]["tenant"];
                /** @description Only records with this plan_id. Repeatable; any of the values matches. Plan of the charge. */
                readonly plan_id?: readonly string[];
                /** @description Only records with this currency. Repeatable; any of the values matches. Currency of the charge. customer.currency is that of the account. */
                readonly currency?: readonly string[];
                /** @description Only records with this kind. Repeatable; any of the values matches. recurring, fixed, usage, repair */
                readonly kind?: readonly ("recurring" | "fixed" | "usage" | "repair")[];
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Part of a customer name, e-mail address or external key (case does not matter), or a complete id. */
                readonly search?: components["parameters"]["search"];
                /** @description Only this tenant of the billing engine. */
                readonly source_id?: components["parameters"]["source_id"];
                /** @description Only records of the customer with this id. */
                readonly customer_id?: components["parameters"]["customer_id"];
                /** @description Up to the end of so many months after this one, such as 6m; at most 24m. */
                readonly next?: string;
                /** @description First day. Default and earliest: today. */
                readonly start?: string;
                /** @description Last day. Default: the end of the twelfth month after this one; at most that of the 24th. */
                readonly end?: string;
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description `key=value`. Keys: `tenant`, `plan_id`, `currency`, `kind`, and every field of a segment. A field of the subscription, such as `billing_period`, filters the rows. A field of the customer, such as `customer_country` or `attr.tier`, keeps the rows of customers that match now. Repeat a key to match any of its values. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of charges, with the sums of all months */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["BillingPage"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_open_invoices: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this tenant. Repeatable; any of the values matches. Name of the tenant. */
                readonly tenant?: components["parameters"]["tenant"];
                /** @description Only records with this currency. Repeatable; any of the values matches. Currency of the invoice. customer.currency is that of the account. */
                readonly currency?: components["parameters"]["currency"];
                /** @description Only records with this age. Repeatable; any of the values matches. current, 1-30, 31-60, 61-90 or over-90, or as `buckets` says. */
                readonly age?: readonly string[];
                /** @description State at the end of this day; for today, the state now. Default: today. */
                readonly at?: components["parameters"]["at"];
                /** @description Ledger: days from the issue of an invoice to its due day. Default: that of the definitions. */
                readonly net_terms?: components["parameters"]["net_terms"];
                /** @description Ledger: last days of the ages of receivables, growing numbers separated by commas. Default: those of the definitions. */
                readonly buckets?: components["parameters"]["buckets"];
                /** @description Ledger: open balances in base currency at the rate of their issue, or at that of the day shown. Default: that of the definitions. */
                readonly receivables_rate?: components["parameters"]["receivables_rate"];
                /** @description Ledger: only rows that were posted by this day count. Default: all. */
                readonly known_at?: components["parameters"]["known_at"];
                /** @description Sort fields, comma-separated. Prefix a field with `-` for descending order. Nulls come last. Fields: `invoice_id`, `number`, `customer_id`, `customer_name`, `source_id`, `tenant`, `currency`, `issued_on`, `days_past_due`, `total_cents`, `paid_cents`, `balance_cents`, `reopened_cents`, `balance_base_cents`. */
                readonly order?: string;
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Part of a customer name, e-mail address or external key (case does not matter), or a complete id. */
                readonly search?: components["parameters"]["search"];
                /** @description Only this tenant of the billing engine. */
                readonly source_id?: components["parameters"]["source_id"];
                /** @description Only records of the customer with this id. */
                readonly customer_id?: components["parameters"]["customer_id"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description `key=value`. Keys: `tenant`, `currency`, `age`, and every field of a segment. A field of the subscription, such as `billing_period`, keeps the rows of customers with such a running subscription. A field of the customer, such as `customer_country` or `attr.tier`, keeps the rows of customers that match now. Repeat a key to match any of its values. */
                readonly filter?: components["parameters"]["filter_of_invoice_ages"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rows */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["OpenInvoicePage"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_schedule: {
        readonly parameters: {
            readonly query?: {
                /** @description The invoice with this id. */
                readonly invoice_id?: string;
                /** @description The subscription with this id. */
                readonly subscription_id?: string;
                /** @description Ledger: revenue by day, or in equal months. Default: that of the definitions. */
                readonly spread?: components["parameters"]["spread"];
                /** @description Ledger: a fixed price is revenue at once, or over the period of its phase. Default: that of the definitions. */
                readonly one_off?: components["parameters"]["one_off"];
                /** @description Ledger: a charge for days before its invoice is revenue of these days, or of the day of the invoice. Default: that of the definitions. */
                readonly unbilled?: components["parameters"]["unbilled"];
                /** @description Ledger: only rows that were posted by this day count. Default: all. */
                readonly known_at?: components["parameters"]["known_at"];
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Only this tenant of the billing engine. */
                readonly source_id?: components["parameters"]["source_id"];
                /** @description `key=value`. Keys: , and every field of a segment. A field of the subscription, such as `billing_period`, keeps the rows of customers with such a running subscription. A field of the customer, such as `customer_country` or `attr.tier`, keeps the rows of customers that match now. Repeat a key to match any of its values. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rows */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["SchedulePage"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly ledger_journal: {
        readonly parameters: {
            readonly query?: {
                /** @description First day of the range, inclusive. */
                readonly start?: components["parameters"]["start"];
                /** @description Last day of the range, inclusive. */
                readonly end?: components["parameters"]["end"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Journal: entries for each month, for each day, or for each invoice and charge (none). Default: month. */
                readonly summarize?: "month" | "day" | "none";
                /** @description Only invoices in this currency, and amounts in it. Default: all, in the base currency. */
                readonly currency?: string;
                /** @description Journal: columns of the file, as an accounting program imports them. Default: plain. */
                readonly layout?: "plain" | "quickbooks" | "xero" | "netsuite";
                /** @description Journal: which file of a journal that is too long for one. Default: 1. */
                readonly part?: number;
                /** @description Ledger: revenue by day, or in equal months. Default: that of the definitions. */
                readonly spread?: components["parameters"]["spread"];
                /** @description Ledger: a fixed price is revenue at once, or over the period of its phase. Default: that of the definitions. */
                readonly one_off?: components["parameters"]["one_off"];
                /** @description Ledger: a charge for days before its invoice is revenue of these days, or of the day of the invoice. Default: that of the definitions. */
                readonly unbilled?: components["parameters"]["unbilled"];
                /** @description Ledger: kinds of charges that are revenue, separated by commas, or all. The others are other income. Default: those of the definitions. */
                readonly revenue_kinds?: components["parameters"]["revenue_kinds"];
                /** @description Ledger: open balances in base currency at the rate of their issue, or at that of the day shown. Default: that of the definitions. */
                readonly receivables_rate?: components["parameters"]["receivables_rate"];
                /** @description Journal: the day on which the journal of the days before was made. Entries then have what became known of these days since. Default: nothing. */
                readonly opening_known_at?: string;
                /** @description Filter as key=value. Values of the same key are alternatives; different keys must all match. */
                readonly filter?: components["parameters"]["filter_of_metric_bridge"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rows */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["JournalLine"][];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly customer: {
        readonly parameters: {
            readonly query?: {
                /** @description Only this tenant of the billing engine. */
                readonly source_id?: components["parameters"]["source_id"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
                /** @description Definition set of this answer, as `GET /api/definitions` lists them. Default: the definitions of the configuration. */
                readonly definitions?: components["parameters"]["definitions"];
            };
            readonly path: {
                /** @description Account id, or the external key */
                readonly id: components["parameters"]["path_id_of_customer"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The customer */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["CustomerDetail"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly billing_health: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this tenant. Repeatable; any of the values matches. Name of the tenant. */
                readonly tenant?: components["parameters"]["tenant"];
                /** @description Only records with this currency. Repeatable; any of the values matches. Currency of the account. subscription.currency is that of the subscription. */
                readonly currency?: components["parameters"]["currency_of_billing_health"];
                /** @description Only records with this class. Repeatable; any of the values matches. double_billed, stuck_draft, invoicing_failed, account_parked, overdue_block, invoicing_off, transferred, quantity_reverted, price_change_lost, not_billed, billed_after_end, price_differs, quantity_differs, other */
                readonly class?: components["parameters"]["class"];
                /** @description Only records with this state. Repeatable; any of the values matches. open if the finding reaches yesterday, else closed */
                readonly state?: components["parameters"]["state"];
                /** @description Only records with this mark. Repeatable; any of the values matches. none, seen, or no_error for findings that a person has marked as no error */
                readonly mark?: components["parameters"]["mark"];
                /** @description Part of a customer name, e-mail address or external key (case does not matter), or a complete id. */
                readonly search?: components["parameters"]["search"];
                /** @description Only this tenant of the billing engine. */
                readonly source_id?: components["parameters"]["source_id"];
                /** @description Only records of the customer with this id. */
                readonly customer_id?: components["parameters"]["customer_id"];
                /** @description First day, local to each account. Default: 90 days up to `end`. */
                readonly start?: components["parameters"]["start_of_billing_health"];
                /** @description Last day, local to each account. Default and latest: yesterday. */
                readonly end?: components["parameters"]["end_of_billing_health"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description `key=value`. Keys: `tenant`, `currency`, `class`, `state`, `mark`, and every field of a segment. A field of the subscription, such as `billing_period`, filters the rows. A field of the customer, such as `customer_country` or `attr.tier`, keeps the rows of customers that match now. Repeat a key to match any of its values. */
                readonly filter?: components["parameters"]["filter_of_billing_health"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The sums, and the classes with findings */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["BillingHealth"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly billing_findings: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this tenant. Repeatable; any of the values matches. Name of the tenant. */
                readonly tenant?: components["parameters"]["tenant"];
                /** @description Only records with this currency. Repeatable; any of the values matches. Currency of the account. subscription.currency is that of the subscription. */
                readonly currency?: components["parameters"]["currency_of_billing_health"];
                /** @description Only records with this class. Repeatable; any of the values matches. double_billed, stuck_draft, invoicing_failed, account_parked, overdue_block, invoicing_off, transferred, quantity_reverted, price_change_lost, not_billed, billed_after_end, price_differs, quantity_differs, other */
                readonly class?: components["parameters"]["class"];
                /** @description Only records with this state. Repeatable; any of the values matches. open if the finding reaches yesterday, else closed */
                readonly state?: components["parameters"]["state"];
                /** @description Only records with this mark. Repeatable; any of the values matches. none, seen, or no_error for findings that a person has marked as no error */
                readonly mark?: components["parameters"]["mark"];
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Part of a customer name, e-mail address or external key (case does not matter), or a complete id. */
                readonly search?: components["parameters"]["search"];
                /** @description Only this tenant of the billing engine. */
                readonly source_id?: components["parameters"]["source_id"];
                /** @description Only records of the customer with this id. */
                readonly customer_id?: components["parameters"]["customer_id"];
                /** @description First day, local to each account. Default: 90 days up to `end`. */
                readonly start?: components["parameters"]["start_of_billing_health"];
                /** @description Last day, local to each account. Default and latest: yesterday. */
                readonly end?: components["parameters"]["end_of_billing_health"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description `key=value`. Keys: `tenant`, `currency`, `class`, `state`, `mark`, and every field of a segment. A field of the subscription, such as `billing_period`, filters the rows. A field of the customer, such as `customer_country` or `attr.tier`, keeps the rows of customers that match now. Repeat a key to match any of its values. */
                readonly filter?: components["parameters"]["filter_of_billing_health"];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of findings, with the total number */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["BillingFindingPage"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly billing_notices: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this tenant. Repeatable; any of the values matches. Name of the tenant. */
                readonly tenant?: components["parameters"]["tenant"];
                /** @description Only records with this currency. Repeatable; any of the values matches. Currency of the account. subscription.currency is that of a subscription. */
                readonly currency?: readonly string[];
                /** @description Only records with this kind. Repeatable; any of the values matches. addon_without_entitlement, mrr_at_risk, silent_account, without_price, usage_not_invoiced, never_attempted, child_not_on_parent, child_credit_on_parent, child_void_on_parent, below_list_price */
                readonly kind?: readonly ("addon_without_entitlement" | "mrr_at_risk" | "silent_account" | "without_price" | "usage_not_invoiced" | "never_attempted" | "child_not_on_parent" | "child_credit_on_parent" | "child_void_on_parent" | "below_list_price")[];
                /** @description Only records with this mark. Repeatable; any of the values matches. none, seen, no_error */
                readonly mark?: readonly ("none" | "seen" | "no_error")[];
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Part of a customer name, e-mail address or external key (case does not matter), or a complete id. */
                readonly search?: components["parameters"]["search"];
                /** @description Only this tenant of the billing engine. */
                readonly source_id?: components["parameters"]["source_id"];
                /** @description Only records of the customer with this id. */
                readonly customer_id?: components["parameters"]["customer_id"];
                /** @description Only customers in this segment count. Id or exact name of a segment, or a definition as JSON text. */
                readonly segment?: components["parameters"]["segment"];
                /** @description `key=value`. Keys: `tenant`, `currency`, `kind`, `mark`, and every field of a segment. A field of the subscription, such as `billing_period`, filters the rows about a subscription, and other rows by their customers. A field of the customer, such as `customer_country` or `attr.tier`, keeps the rows of customers that match now. Repeat a key to match any of its values. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of notices, with the sums of all lists */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["BillingNoticePage"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly billing_marks: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The marks */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["FindingMark"][];
                };
            };
        };
    };
    readonly create_billing_mark: {
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewFindingMark"];
            };
        };
        readonly responses: {
            /** @description The mark */
            readonly 201: {
                content: {
                    readonly "application/json": components["schemas"]["FindingMark"];
                };
            };
        };
    };
    readonly delete_billing_mark: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    readonly segment_fields: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The fields, sorted by name */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["SegmentField"][];
                };
            };
        };
    };
    readonly validate_segment: {
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["SegmentDefinition"] | components["schemas"]["SegmentForMetric"];
            };
        };
        readonly responses: {
            /** @description The result of the validation */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["SegmentVerdict"];
                };
            };
        };
    };
    readonly segments: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The segments */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Segment"][];
                };
            };
        };
    };
    readonly create_segment: {
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewSegment"];
            };
        };
        readonly responses: {
            /** @description The segment */
            readonly 201: {
                content: {
                    readonly "application/json": components["schemas"]["Segment"];
                };
            };
        };
    };
    readonly segment: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The segment */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Segment"];
                };
            };
        };
    };
    readonly update_segment: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["SegmentChange"];
            };
        };
        readonly responses: {
            /** @description The segment */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["UpdatedSegment"];
                };
            };
        };
    };
    readonly delete_segment: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    readonly notes: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this metric. Repeatable; any of the values matches. Name of a metric. Notes of all metrics are listed, too */
                readonly metric?: readonly string[];
                /** @description First day, inclusive. */
                readonly start?: components["parameters"]["start_of_notes"];
                /** @description Last day, inclusive. */
                readonly end?: components["parameters"]["end_of_notes"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The notes */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Note"][];
                };
            };
        };
    };
    readonly create_note: {
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewNote"];
            };
        };
        readonly responses: {
            /** @description The note */
            readonly 201: {
                content: {
                    readonly "application/json": components["schemas"]["Note"];
                };
            };
        };
    };
    readonly note: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The note */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Note"];
                };
            };
        };
    };
    readonly update_note: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NoteChange"];
            };
        };
        readonly responses: {
            /** @description The note */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["UpdatedNote"];
                };
            };
        };
    };
    readonly delete_note: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    readonly goals: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The goals */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Goal"][];
                };
            };
        };
    };
    readonly create_goal: {
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewGoal"];
            };
        };
        readonly responses: {
            /** @description The goal */
            readonly 201: {
                content: {
                    readonly "application/json": components["schemas"]["Goal"];
                };
            };
        };
    };
    readonly goal: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The goal */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Goal"];
                };
            };
        };
    };
    readonly update_goal: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["GoalChange"];
            };
        };
        readonly responses: {
            /** @description The goal */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["UpdatedGoal"];
                };
            };
        };
    };
    readonly delete_goal: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    readonly import_goals: {
        readonly requestBody?: {
            readonly content: {
                readonly "multipart/form-data": components["schemas"]["GoalFile"];
            };
        };
        readonly responses: {
            /** @description Result of the import */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["GoalImport"];
                };
            };
        };
    };
    readonly import_attributes: {
        readonly requestBody?: {
            readonly content: {
                readonly "multipart/form-data": components["schemas"]["AttributeFile"];
            };
        };
        readonly responses: {
            /** @description Result of the import */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["AttributeImport"];
                };
            };
        };
    };
    readonly bills: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this status. Repeatable; any of the values matches. Status */
                readonly status?: readonly ("open" | "partial" | "paid" | "voided")[];
                /** @description Only records with this kind. Repeatable; any of the values matches. Bill or credit */
                readonly kind?: readonly ("bill" | "vendor_credit")[];
                /** @description Only records with this vendor_id. Repeatable; any of the values matches. Id of the vendor */
                readonly vendor_id?: components["parameters"]["vendor_id"];
                /** @description Only records with this currency. Repeatable; any of the values matches. Currency */
                readonly currency?: components["parameters"]["currency_of_bills"];
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Part of a name, number or description. Case does not matter. */
                readonly search?: components["parameters"]["search_of_bills"];
                /** @description Id of an expense source. Returns only records of this source. */
                readonly source_id?: components["parameters"]["source_id_of_bills"];
                /** @description First document date, inclusive. */
                readonly start?: components["parameters"]["start_of_bills"];
                /** @description Last document date, inclusive. */
                readonly end?: components["parameters"]["end_of_bills"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description `key=value`. Keys: `status`, `kind`, `vendor_id`, `currency`. Repeat a key to match any of its values. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of rows, with the total number */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["BillPage"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly lines: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this account_type. Repeatable; any of the values matches. Type of the account */
                readonly account_type?: readonly ("expense" | "cogs" | "income" | "asset" | "liability" | "equity" | "other" | "unknown")[];
                /** @description Only records with this account_id. Repeatable; any of the values matches. Id of the account */
                readonly account_id?: readonly string[];
                /** @description Only records with this vendor_id. Repeatable; any of the values matches. Id of the vendor */
                readonly vendor_id?: components["parameters"]["vendor_id"];
                /** @description Only records with this currency. Repeatable; any of the values matches. Currency */
                readonly currency?: components["parameters"]["currency_of_bills"];
                /** @description Only records with this document_kind. Repeatable; any of the values matches. bill or expense */
                readonly document_kind?: readonly ("bill" | "expense")[];
                /** @description Only records with this class. Repeatable; any of the values matches. Class */
                readonly class?: readonly string[];
                /** @description Only records with this department. Repeatable; any of the values matches. Department */
                readonly department?: readonly string[];
                /** @description Only records with this project. Repeatable; any of the values matches. Project */
                readonly project?: readonly string[];
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Part of a name, number or description. Case does not matter. */
                readonly search?: components["parameters"]["search_of_bills"];
                /** @description Id of an expense source. Returns only records of this source. */
                readonly source_id?: components["parameters"]["source_id_of_bills"];
                /** @description First document date, inclusive. */
                readonly start?: components["parameters"]["start_of_bills"];
                /** @description Last document date, inclusive. */
                readonly end?: components["parameters"]["end_of_bills"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
                /** @description `key=value`. Keys: `account_type`, `account_id`, `vendor_id`, `currency`, `document_kind`, `class`, `department`, `project`. Repeat a key to match any of its values. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of rows, with the total number */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["ExpenseLinePage"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly vendors: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Part of a name, number or description. Case does not matter. */
                readonly search?: components["parameters"]["search_of_bills"];
                /** @description Id of an expense source. Returns only records of this source. */
                readonly source_id?: components["parameters"]["source_id_of_bills"];
                /** @description This list has no fields to filter by. */
                readonly filter?: readonly string[];
                /** @description Format of the response body. Overrides the Accept header. */
                readonly format?: components["parameters"]["format"];
                /** @description Format of amounts: cents (whole cents), or units (decimal text with the digits of the currency). Default: cents. */
                readonly money?: components["parameters"]["money"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of rows, with the total number */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["VendorPage"];
                    readonly "text/csv": string;
                    readonly "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
        };
    };
    readonly import_expenses: {
        readonly requestBody?: {
            readonly content: {
                readonly "multipart/form-data": components["schemas"]["ExpenseFile"];
            };
        };
        readonly responses: {
            /** @description Result of the import */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["ExpenseImport"];
                };
            };
        };
    };
    readonly fx_rates: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this from. Repeatable; any of the values matches. Currency that is converted */
                readonly from?: readonly string[];
                /** @description Only records with this to. Repeatable; any of the values matches. Currency that it is converted into */
                readonly to?: readonly string[];
                /** @description true: only the newest rate of each currency pair. */
                readonly latest?: "true" | "false";
                /** @description First day, inclusive. */
                readonly start?: components["parameters"]["start_of_notes"];
                /** @description Last day, inclusive. */
                readonly end?: components["parameters"]["end_of_notes"];
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rates */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["FxRate"][];
                };
            };
        };
    };
    readonly missing_fx_rates: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description Currency pairs, sorted by first day. Empty if no rate is missing */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["MissingFxRate"][];
                };
            };
        };
    };
    readonly import_fx_rates: {
        readonly requestBody?: {
            readonly content: {
                readonly "multipart/form-data": components["schemas"]["FxRateFile"];
            };
        };
        readonly responses: {
            /** @description Result of the import */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["FxRateImport"];
                };
            };
        };
    };
    readonly fetch_fx_rates: {
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["FxFetch"];
            };
        };
        readonly responses: {
            /** @description Result of the import */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["FxRateImport"];
                };
            };
        };
    };
    readonly attributes: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The attributes */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Attribute"][];
                };
            };
        };
    };
    readonly declare_attribute: {
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewAttribute"];
            };
        };
        readonly responses: {
            /** @description The attribute already exists with this type */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Attribute"];
                };
            };
            /** @description The attribute */
            readonly 201: {
                content: {
                    readonly "application/json": components["schemas"]["Attribute"];
                };
            };
        };
    };
    readonly update_attribute: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly key: components["parameters"]["path_key"];
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["AttributeChange"];
            };
        };
        readonly responses: {
            /** @description The attribute */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["UpdatedAttribute"];
                };
            };
        };
    };
    readonly attribute_values: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
            };
            readonly path: {
                readonly key: components["parameters"]["path_key"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The values */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["DifferentValues"];
                };
            };
        };
    };
    readonly customer_attributes: {
        readonly parameters: {
            readonly query?: {
                /** @description Only the values of this attribute. */
                readonly key?: string;
                /** @description Part of a customer name, e-mail address or external key (case does not matter), or a complete id. */
                readonly search?: components["parameters"]["search"];
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description Only this tenant of the billing engine. */
                readonly source_id?: components["parameters"]["source_id"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of values */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["CustomerAttributePage"];
                };
            };
        };
    };
    readonly set_attributes: {
        readonly parameters: {
            readonly query?: {
                /** @description Only this tenant of the billing engine. */
                readonly source_id?: components["parameters"]["source_id"];
            };
            readonly path: {
                /** @description Account id, or the external key */
                readonly id: components["parameters"]["path_id_of_customer"];
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["AttributeValues"];
            };
        };
        readonly responses: {
            /** @description Number of keys accepted, number of keys that had the value already, and new keys */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["AttributesSet"];
                };
            };
        };
    };
    readonly delete_attribute_value: {
        readonly parameters: {
            readonly query?: {
                /** @description Only this tenant of the billing engine. */
                readonly source_id?: components["parameters"]["source_id"];
            };
            readonly path: {
                /** @description Account id, or the external key */
                readonly id: components["parameters"]["path_id_of_customer"];
                readonly key: components["parameters"]["path_key"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    readonly dashboards: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The dashboards */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Dashboard"][];
                };
            };
        };
    };
    readonly create_dashboard: {
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewDashboard"];
            };
        };
        readonly responses: {
            /** @description The dashboard */
            readonly 201: {
                content: {
                    readonly "application/json": components["schemas"]["Dashboard"];
                };
            };
        };
    };
    readonly dashboard: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The dashboard */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["DashboardWithCharts"];
                };
            };
        };
    };
    readonly update_dashboard: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["DashboardChange"];
            };
        };
        readonly responses: {
            /** @description The dashboard was updated */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Updated"];
                };
            };
        };
    };
    readonly delete_dashboard: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    readonly add_section: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                /** @description Id of the dashboard */
                readonly id: components["parameters"]["path_id_of_add_section"];
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewSection"];
            };
        };
        readonly responses: {
            /** @description The section */
            readonly 201: {
                content: {
                    readonly "application/json": components["schemas"]["DashboardSection"];
                };
            };
        };
    };
    readonly update_section: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                /** @description Id of the dashboard */
                readonly id: components["parameters"]["path_id_of_add_section"];
                /** @description Id of the section */
                readonly sid: components["parameters"]["path_sid"];
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["SectionChange"];
            };
        };
        readonly responses: {
            /** @description The section was updated */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Updated"];
                };
            };
        };
    };
    readonly delete_section: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                /** @description Id of the dashboard */
                readonly id: components["parameters"]["path_id_of_add_section"];
                /** @description Id of the section */
                readonly sid: components["parameters"]["path_sid"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    readonly place_chart: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                /** @description Id of the dashboard */
                readonly id: components["parameters"]["path_id_of_add_section"];
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewPlace"];
            };
        };
        readonly responses: {
            /** @description The placement */
            readonly 201: {
                content: {
                    readonly "application/json": components["schemas"]["ChartAdded"];
                };
            };
        };
    };
    readonly move_chart: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                /** @description Id of the dashboard */
                readonly id: components["parameters"]["path_id_of_add_section"];
                /** @description Id of the placement (not of the chart) */
                readonly cid: components["parameters"]["path_cid"];
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["PlaceChange"];
            };
        };
        readonly responses: {
            /** @description The chart was moved */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Updated"];
                };
            };
        };
    };
    readonly remove_chart: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                /** @description Id of the dashboard */
                readonly id: components["parameters"]["path_id_of_add_section"];
                /** @description Id of the placement (not of the chart) */
                readonly cid: components["parameters"]["path_cid"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Removed */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["ChartRemoved"];
                };
            };
        };
    };
    readonly charts: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The charts */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Chart"][];
                };
            };
        };
    };
    readonly create_chart: {
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewChart"];
            };
        };
        readonly responses: {
            /** @description The chart */
            readonly 201: {
                content: {
                    readonly "application/json": components["schemas"]["Chart"];
                };
            };
        };
    };
    readonly update_chart: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["ChartChange"];
            };
        };
        readonly responses: {
            /** @description The chart was updated */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Updated"];
                };
            };
        };
    };
    readonly delete_chart: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    readonly deliveries: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The deliveries */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Delivery"][];
                };
            };
        };
    };
    readonly create_delivery: {
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewDelivery"];
            };
        };
        readonly responses: {
            /** @description The delivery */
            readonly 201: {
                content: {
                    readonly "application/json": components["schemas"]["SavedDelivery"];
                };
            };
        };
    };
    readonly delivery: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The delivery */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    readonly update_delivery: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["DeliveryChange"];
            };
        };
        readonly responses: {
            /** @description The delivery */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["UpdatedSavedDelivery"];
                };
            };
        };
    };
    readonly delete_delivery: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    readonly delivery_runs: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The runs */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["DeliveryRun"][];
                };
            };
        };
    };
    readonly test_delivery: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Sent */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["DeliveryTested"];
                };
            };
        };
    };
    readonly preview_delivery: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The message */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["DeliveryPreview"];
                };
            };
        };
    };
    readonly links: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The links */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Link"][];
                };
            };
        };
    };
    readonly create_link: {
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["LinkToMake"];
            };
        };
        readonly responses: {
            /** @description The link */
            readonly 201: {
                content: {
                    readonly "application/json": components["schemas"]["NewLink"];
                };
            };
        };
    };
    readonly revoke_link: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Revoked */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["LinkRevoked"];
                };
            };
        };
    };
    readonly shared_page: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The dashboard */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["SharedPage"];
                };
            };
        };
    };
    readonly shared_page_html: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description HTML page */
            readonly 200: {
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
    readonly feed: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                /** @description `<token>.csv` or `<token>.json` */
                readonly file: string;
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rows */
            readonly 200: {
                content: {
                    readonly "application/json": unknown;
                    readonly "text/csv": string;
                };
            };
        };
    };
    readonly sources: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The sources, without secrets */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["Source"][];
                };
            };
        };
    };
    readonly add_source: {
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewSource"];
            };
        };
        readonly responses: {
            /** @description The source */
            readonly 201: {
                content: {
                    readonly "application/json": components["schemas"]["Source"];
                };
            };
        };
    };
    readonly disconnect_source: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The source was disconnected */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Disconnection"];
                };
            };
        };
    };
    readonly backfill_source: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["Backfill"];
            };
        };
        readonly responses: {
            /** @description Nothing to do: databases are read live, files are imported */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["NothingToBackfill"];
                };
            };
            /** @description The backfill has started */
            readonly 202: {
                content: {
                    readonly "application/json": components["schemas"]["BackfillStarted"];
                };
            };
        };
    };
    readonly dead_letters: {
        readonly parameters: {
            readonly query?: {
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
            };
            readonly path: {
                /** @description Id of the source */
                readonly id: components["parameters"]["path_id_of_dead_letters"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of dead letters */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["DeadLetterPage"];
                };
            };
        };
    };
    readonly retry_dead_letters: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                /** @description Id of the source */
                readonly id: components["parameters"]["path_id_of_dead_letters"];
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["LettersToRetry"];
            };
        };
        readonly responses: {
            /** @description Number of notifications queued again */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["LettersRetried"];
                };
            };
        };
    };
    readonly drop_dead_letter: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                /** @description Id of the source */
                readonly id: components["parameters"]["path_id_of_dead_letters"];
                /** @description Id of the dead letter */
                readonly letter: string;
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Deleted */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Deleted"];
                };
            };
        };
    };
    readonly start_consent: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                /** @description Platform name, such as `quickbooks` */
                readonly type: components["parameters"]["path_type"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The URL of the platform */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Consent"];
                };
            };
        };
    };
    readonly end_consent: {
        readonly parameters: {
            readonly query: {
                /** @description The state that `oauth/start` sent. Valid once, for 10 minutes, in the same browser */
                readonly state: string;
                readonly code?: string;
                /** @description Id of the company */
                readonly realmId?: string;
                /** @description Reason if there is no code */
                readonly error?: string;
            };
            readonly path: {
                /** @description Platform name, such as `quickbooks` */
                readonly type: components["parameters"]["path_type"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The source, if `Accept: application/json` was sent */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Source"];
                };
            };
        };
    };
    readonly webhook: {
        readonly parameters: {
            readonly query?: {
                /** @description Source id. Required if the address and the payload match several sources */
                readonly source_id?: string;
            };
            readonly path: {
                /** @description Source id or platform name */
                readonly address: string;
            };
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": unknown;
            };
        };
        readonly responses: {
            /** @description The notifications are stored */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["WebhookReceipt"];
                };
            };
        };
    };
    readonly mcp: {
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["McpMessage"];
            };
        };
        readonly responses: {
            /** @description The reply */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["McpReply"] | readonly components["schemas"]["McpReply"][];
                };
            };
            /** @description Accepted: a notification gets no reply */
            readonly 202: {
                content?: never;
            };
        };
    };
    readonly auth_config: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The settings */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["SignInConfig"];
                };
            };
        };
    };
    readonly auth_me: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The principal of the credential */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Principal"];
                };
            };
        };
    };
    readonly keys: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The keys */
            readonly 200: {
                content: {
                    readonly "application/json": readonly components["schemas"]["ApiKey"][];
                };
            };
        };
    };
    readonly create_key: {
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["ApiKeyToMake"];
            };
        };
        readonly responses: {
            /** @description The key */
            readonly 201: {
                content: {
                    readonly "application/json": components["schemas"]["NewApiKey"];
                };
            };
        };
    };
    readonly revoke_key: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                readonly id: components["parameters"]["path_id"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Revoked */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["KeyRevoked"];
                };
            };
        };
    };
    readonly audit: {
        readonly parameters: {
            readonly query?: {
                /** @description Only records with this actor_id. Repeatable; any of the values matches. Id of the actor */
                readonly actor_id?: readonly string[];
                /** @description Only records with this action. Repeatable; any of the values matches. Action, such as `key.create` */
                readonly action?: readonly string[];
                /** @description Only records with this outcome. Repeatable; any of the values matches. Outcome of the action */
                readonly outcome?: readonly ("ok" | "refused" | "failed")[];
                /** @description Rows per page, 1 to 1000. Default: 100. */
                readonly limit?: components["parameters"]["limit_of_metric_rows"];
                /** @description Rows to skip before the page. Default: 0. */
                readonly offset?: components["parameters"]["offset"];
                /** @description First day, in UTC. */
                readonly start?: string;
                /** @description Last day, in UTC. */
                readonly end?: string;
                /** @description Named range, in place of start and end. this-month, this-quarter, this-year, mtd, qtd and ytd end today. last-month, last-quarter and last-year are whole. last-N-days|weeks|months|quarters|years: N periods, of which the running one is the last and ends today. last-N-full-days|weeks|months|quarters|years: N whole periods before the running one. all: everything up to today. With forecast=true only: next-month, next-quarter and next-year are whole; next-N-days|weeks|months|quarters|years: N whole periods after the running one. */
                readonly range?: components["parameters"]["range"];
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of events, with the total number */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["AuditEventPage"];
                };
            };
        };
    };
    readonly healthz: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The process is running */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Liveness"];
                };
            };
        };
    };
    readonly readyz: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description Ready */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    readonly checks: {
        readonly parameters: {
            readonly query?: {
                /** @description `true`: check again */
                readonly refresh?: "true" | "false";
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The findings */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["Checks"];
                };
            };
        };
    };
    readonly verify_checks: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description The checks, in the order in which they run */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["VerifyChecks"];
                };
            };
        };
    };
    readonly verify: {
        readonly parameters: {
            readonly query?: {
                /** @description First day. Default: 364 days before `end` */
                readonly start?: string;
                /** @description Last day. Default: today */
                readonly end?: string;
                /** @description Only these checks; repeatable. Default: all */
                readonly check?: readonly ("rates_complete" | "prices_complete" | "history_agrees" | "cached_equals_direct" | "rows_sum_to_numbers" | "waterfall_closes" | "movements_explain_customers" | "mrr_adds_up" | "breakdown_is_net_change" | "groups_add_up" | "filter_gives_group" | "segment_splits_total" | "retention_in_bounds" | "churned_customers_listed" | "lost_revenue_listed" | "trials_add_up" | "cohorts_begin_whole" | "usage_adds_up" | "arpu_times_customers" | "base_currency_unchanged" | "summary_agrees" | "books_roll_forward" | "books_balance" | "books_add_up" | "books_by_record")[];
                /** @description Seconds for all checks together, from 1 to 600. Default: 120. Parts for which they are too short are not checked */
                readonly time_limit_s?: number;
            };
            readonly path?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The results */
            readonly 200: {
                content: {
                    readonly "application/json": components["schemas"]["VerifyReport"];
                };
            };
        };
    };
    readonly prometheus: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description Prometheus text format */
            readonly 200: {
                content: {
                    readonly "text/plain": string;
                };
            };
        };
    };
    readonly root: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description HTML page */
            readonly 200: {
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
    readonly web_asset: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                /** @description File name */
                readonly file: components["parameters"]["path_file"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                content: {
                    readonly "text/javascript": string;
                    readonly "text/css": string;
                    readonly "image/svg+xml": string;
                };
            };
        };
    };
    readonly docs: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description HTML page */
            readonly 200: {
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
    readonly redoc: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description HTML page */
            readonly 200: {
                content: {
                    readonly "text/html": string;
                };
            };
        };
    };
    readonly docs_asset: {
        readonly parameters: {
            readonly query?: never;
            readonly path: {
                /** @description File name */
                readonly file: components["parameters"]["path_file"];
            };
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                content: {
                    readonly "text/javascript": string;
                    readonly "text/css": string;
                    readonly "image/png": string;
                };
            };
        };
    };
    readonly openapi: {
        readonly requestBody?: never;
        readonly responses: {
            /** @description OpenAPI 3.1 document */
            readonly 200: {
                content: {
                    readonly "application/json": {
                        readonly openapi: string;
                    } & {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
    };
}
