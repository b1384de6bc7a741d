// Written by `npm run client` from the answers of the sample data.
import type { Examples } from './show-examples.ts'

export const EXAMPLES: Examples = {
 "healthz": {
  "example": {
   "summary": "GET /healthz",
   "status": 200,
   "answer": {
    "status": "ok"
   }
  }
 },
 "readyz": {
  "example": {
   "summary": "GET /readyz",
   "status": 200,
   "answer": {
    "status": "ok",
    "checks": {
     "replica": {
      "ok": true,
      "role": "primary",
      "lag_seconds": null,
      "version": "PostgreSQL 18.6 (PGlite: no time limit, no cancel)",
      "schema": "public"
     },
     "store": {
      "ok": true
     }
    }
   }
  }
 },
 "checks": {
  "example": {
   "summary": "GET /api/checks",
   "status": 200,
   "answer": {
    "checked_at": "2026-11-20T23:59:59.000Z",
    "setup": null,
    "findings": [
     {
      "name": "connection",
      "level": "ok",
      "message": "PostgreSQL 18.6 (PGlite: no time limit, no cancel), schema public, role primary"
     },
     {
      "name": "privileges",
      "level": "warning",
      "message": "the role can write: CREATE on schema public; DELETE on 29 tables; INSERT on 29 tables; TRUNCATE on 29 tables; UPDATE on 29 tables; superuser",
      "command": "plumbline grants --dialect postgres --user plumbline_reader"
     }
    ]
   }
  }
 },
 "verify": {
  "example": {
   "summary": "GET /api/verify?start=2026-10-01&end=2026-10-31&check=rates_complete",
   "status": 200,
   "answer": {
    "ok": true,
    "is_complete": true,
    "start": "2026-10-01",
    "end": "2026-10-31",
    "checks": [
     {
      "name": "rates_complete",
      "ok": true,
      "count": 0,
      "is_complete": true,
      "parts": 1,
      "parts_done": 1,
      "message": "0 missing pairs",
      "ids": []
     }
    ],
    "data_through": "2026-11-20T23:59:59.000Z"
   }
  }
 },
 "verify_checks": {
  "example": {
   "summary": "GET /api/verify/checks",
   "status": 200,
   "answer": {
    "checks": [
     {
      "name": "rates_complete",
      "description": "Every amount in another currency has an exchange rate into the base currency.",
      "identities": []
     },
     {
      "name": "prices_complete",
      "description": "The catalog has a price for every plan, phase and currency that a subscription used in the range, unless the configuration accepts plans without one.",
      "identities": []
     }
    ],
    "unchecked": [
     {
      "identity": "I12",
      "reason": "No query counts the times at which customers became live."
     },
     {
      "identity": "I16",
      "reason": "No query lists the paid invoices of a cohort."
     }
    ]
   }
  }
 },
 "metrics": {
  "example": {
   "summary": "GET /api/metrics",
   "status": 200,
   "answer": [
    "churn",
    "expenses"
   ]
  }
 },
 "metric_fields": {
  "example": {
   "summary": "GET /api/metrics/mrr/fields",
   "status": 200,
   "answer": {
    "dimensions": [
     {
      "key": "arr_band",
      "label": "ARR band",
      "type": "string",
      "queries": [
       "arr",
       "components"
      ]
     },
     {
      "key": "billing_period",
      "label": "Billing period",
      "type": "string",
      "queries": [
       "arr",
       "breakdown"
      ]
     }
    ],
    "time_dimensions": [
     {
      "key": "occurred_at",
      "label": "Occurred at"
     }
    ],
    "attributes": [
     {
      "key": "attr.channel",
      "label": "channel",
      "type": "string",
      "source": "csv",
      "queries": [
       "arr",
       "breakdown"
      ]
     },
     {
      "key": "attr.employees",
      "label": "employees",
      "type": "number",
      "source": "killbill",
      "queries": [
       "arr",
       "breakdown"
      ]
     }
    ],
    "filters": [
     {
      "key": "arr_band",
      "label": "ARR band",
      "type": "string",
      "operators": [
       "=",
       "!="
      ]
     },
     {
      "key": "attr.channel",
      "label": "channel",
      "type": "string",
      "operators": [
       "=",
       "!="
      ]
     }
    ],
    "query_types": [
     "arr",
     "breakdown"
    ],
    "numbers": [
     {
      "query_type": "arr",
      "dates": "day"
     },
     {
      "query_type": "current",
      "dates": "day"
     }
    ]
   }
  }
 },
 "field_values": {
  "example": {
   "summary": "GET /api/metrics/churn/fields/cancel_reason/values?search=exp",
   "status": 200,
   "answer": {
    "values": [
     "too_expensive"
    ],
    "count": 1
   }
  }
 },
 "tenants": {
  "example": {
   "summary": "GET /api/tenants",
   "status": 200,
   "answer": [
    {
     "name": "alpha",
     "source_id": "0ba4791f-9345-4786-882c-5ed7b8247834"
    }
   ]
  }
 },
 "definitions": {
  "example": {
   "summary": "GET /api/definitions",
   "status": 200,
   "answer": {
    "name": "default",
    "description": "The definitions of the configuration.",
    "version": "0.1.0",
    "hash": "a15e64cc6f2b",
    "options": [
     {
      "key": "base_currency",
      "value": "USD",
      "default": null,
      "choices": null,
      "description": "Currency that amounts are converted to. Default: the only currency of the counted customers, otherwise USD"
     },
     {
      "key": "mrr_usage",
      "value": "mean3",
      "default": "mean3",
      "choices": [
       "mean3",
       "off"
      ],
      "description": "Usage in MRR: the mean of the last three complete months, or none"
     }
    ],
    "sets": [
     "default",
     "plumbline"
    ]
   }
  }
 },
 "metric_bridge": {
  "example": {
   "summary": "GET /api/metrics/mrr/bridge?from=plumbline&to=default&at=2026-10-31",
   "status": 200,
   "answer": {
    "measure": "mrr",
    "from": {
     "definitions": "plumbline",
     "value": 4851882
    },
    "to": {
     "definitions": "default",
     "value": 4851882
    },
    "steps": [],
    "residual": 0
   }
  }
 },
 "metric_rows": {
  "example": {
   "summary": "GET /api/metrics/mrr/rows?at=2026-10-31&limit=1",
   "status": 200,
   "answer": {
    "total": 287,
    "limit": 1,
    "offset": 0,
    "measure": "mrr",
    "sum": 4851882,
    "rows": [
     {
      "customer_id": "1e3f6c63-ada0-4f0a-95d6-3d621b9f0464",
      "customer_name": "alpha customer 231",
      "subscription_id": "91b9ba54-3808-4204-8070-053944348c0b",
      "plan_id": "ent-biannual",
      "movement_type": null,
      "movement_source": null,
      "occurred_at": null,
      "reason": null,
      "churn_type": null,
      "cancel_reason": null,
      "document_id": null,
      "currency": "EUR",
      "amount_cents": 230000,
      "amount_base_cents": 262154,
      "rate_part_base_cents": null,
      "count": 1,
      "rate": "1.1398",
      "rate_day": "2026-04-12",
      "plan_before": null,
      "plan_after": "ent-biannual",
      "status_before": null,
      "status_after": "active",
      "quantity_before": null,
      "quantity_after": 10,
      "mrr_before_cents": null,
      "mrr_after_cents": 230000,
      "usage_mrr_before_cents": null,
      "usage_mrr_after_cents": 0,
      "unit_price_before_cents": null,
      "unit_price_after_cents": 23000,
      "valid_from": "2026-04-12T06:00:00.000Z",
      "valid_to": null,
      "admin_url": null,
      "usage_note": null,
      "evidence": [
       {
        "table": "subscription_events",
        "record_id": 1477,
        "id": "1ccf563f-acc0-40fd-b31a-ec30b969cc5f",
        "occurred_at": "2026-04-12T06:00:00.000Z",
        "note": "plan ent-biannual since 2026-04-12 (CREATE)"
       },
       {
        "table": "subscription_events",
        "record_id": 1478,
        "id": "9f898699-c4f2-42f3-826e-e2183b021a94",
        "occurred_at": "2026-04-12T06:00:00.000Z",
        "note": "quantity 10 since 2026-04-12 (QUANTITY_UPDATE)"
       }
      ]
     }
    ]
   }
  }
 },
 "import_expenses": {
  "example": {
   "summary": "POST /api/expenses/import",
   "status": 200,
   "body": {
    "source": "bank",
    "file": "id,date,vendor,account,account_type,amount,currency,kind,status\nE-17,2026-10-05,Acme Hosting,Hosting,cogs,120.50,USD,,\nB-4,2026-10-10,Lewis & Partner,Legal,expense,1000,USD,bill,open\n"
   },
   "answer": {
    "source_id": "csv-bank",
    "rows_read": 2,
    "documents": 2,
    "changed": {
     "vendor": 2,
     "account": 2,
     "item": 0,
     "bill": 1,
     "vendor_credit": 0,
     "expense": 1,
     "bill_payment": 0
    }
   }
  }
 },
 "bills": {
  "example": {
   "summary": "GET /api/bills",
   "status": 200,
   "answer": {
    "total": 1,
    "limit": 100,
    "offset": 0,
    "rows": [
     {
      "id": "B-4",
      "source_id": "csv-bank",
      "number": "B-4",
      "kind": "bill",
      "status": "open",
      "vendor_id": "Lewis & Partner",
      "vendor_name": "Lewis & Partner",
      "bill_date": "2026-10-10",
      "due_date": null,
      "currency": "USD",
      "total_cents": 100000,
      "total_base_cents": 100000,
      "payable_cents": 100000,
      "payable_base_cents": 100000
     }
    ]
   }
  }
 },
 "lines": {
  "example": {
   "summary": "GET /api/expenses/lines",
   "status": 200,
   "answer": {
    "total": 2,
    "limit": 100,
    "offset": 0,
    "rows": [
     {
      "source_id": "csv-bank",
      "document_kind": "bill",
      "document_id": "B-4",
      "line_id": "1",
      "txn_date": "2026-10-10",
      "vendor_id": "Lewis & Partner",
      "vendor_name": "Lewis & Partner",
      "account_id": "Legal",
      "account_name": "Legal",
      "account_type": "expense",
      "class": null,
      "department": null,
      "project": null,
      "description": null,
      "currency": "USD",
      "amount_cents": 100000,
      "amount_base_cents": 100000
     },
     {
      "source_id": "csv-bank",
      "document_kind": "expense",
      "document_id": "E-17",
      "line_id": "1",
      "txn_date": "2026-10-05",
      "vendor_id": "Acme Hosting",
      "vendor_name": "Acme Hosting",
      "account_id": "Hosting",
      "account_name": "Hosting",
      "account_type": "cogs",
      "class": null,
      "department": null,
      "project": null,
      "description": null,
      "currency": "USD",
      "amount_cents": 12050,
      "amount_base_cents": 12050
     }
    ]
   }
  }
 },
 "vendors": {
  "example": {
   "summary": "GET /api/vendors",
   "status": 200,
   "answer": {
    "total": 2,
    "limit": 100,
    "offset": 0,
    "rows": [
     {
      "id": "Acme Hosting",
      "source_id": "csv-bank",
      "name": "Acme Hosting",
      "is_active": true,
      "open_bills": 0,
      "currency": null,
      "payable_cents": 0,
      "payable_base_cents": 0
     },
     {
      "id": "Lewis & Partner",
      "source_id": "csv-bank",
      "name": "Lewis & Partner",
      "is_active": true,
      "open_bills": 1,
      "currency": "USD",
      "payable_cents": 100000,
      "payable_base_cents": 100000
     }
    ]
   }
  }
 },
 "import_fx_rates": {
  "example": {
   "summary": "POST /api/fx/rates/import",
   "status": 200,
   "body": {
    "file": "date,from,to,rate\n2026-10-01,CHF,USD,1.25\n2026-10-02,CHF,USD,none\n"
   },
   "answer": {
    "rows_read": 2,
    "rows_upserted": 1,
    "rows_rejected": [
     {
      "row": 2,
      "reason": "rate must be a positive decimal number such as 1.0837"
     }
    ],
    "rows_rejected_total": 1
   }
  }
 },
 "fx_rates": {
  "example": {
   "summary": "GET /api/fx/rates?latest=true",
   "status": 200,
   "answer": [
    {
     "date": "2026-10-01",
     "from": "CHF",
     "to": "USD",
     "rate": "1.25"
    },
    {
     "date": "2026-12-16",
     "from": "EUR",
     "to": "USD",
     "rate": "1.1398"
    }
   ]
  }
 },
 "missing_fx_rates": {
  "example": {
   "summary": "GET /api/fx/missing",
   "status": 200,
   "answer": []
  }
 },
 "fetch_fx_rates": {
  "example": {
   "summary": "POST /api/fx/fetch/ecb",
   "status": 200,
   "body": {
    "to": "GBP",
    "since": "2026-11-01"
   },
   "answer": {
    "rows_read": 2,
    "rows_upserted": 4,
    "rows_rejected": [],
    "rows_rejected_total": 0
   }
  }
 },
 "summary": {
  "example": {
   "summary": "GET /api/metrics/summary?end=2026-10-31",
   "status": 200,
   "answer": {
    "mrr": 4851882,
    "arr": 58222584,
    "arpu": 22566.89,
    "active_customers": 215,
    "active_subscriptions": 287,
    "net_new_mrr": 275792,
    "logo_churn_rate": 0.013699,
    "revenue_churn_rate": 0.013177,
    "nrr": 0.998121,
    "grr": 0.943566,
    "ltv": 958557.53,
    "trial_conversion_rate": 0.967742,
    "quick_ratio": 1.897413,
    "gross_margin": 0.999722,
    "operating_margin": 0.997411,
    "as_of": "2026-10-31",
    "rate_window": {
     "start": "2026-10-01",
     "end": "2026-10-31"
    },
    "trailing_window": {
     "start": "2025-11-01",
     "end": "2026-10-31"
    },
    "data_through": "2026-11-20T23:59:59.000Z",
    "base_currency": "USD",
    "unsupported": []
   }
  }
 },
 "churn": {
  "plain": {
   "summary": "GET /api/metrics/churn?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": 0.013699
  },
  "grouped": {
   "summary": "GET /api/metrics/churn?start=2026-10-01&end=2026-10-31&dimensions=customer_country",
   "status": 200,
   "answer": [
    {
     "customer_country": "BR",
     "logo_churn_rate": 0,
     "churn_count": 0,
     "active_at_start": 17
    },
    {
     "customer_country": "DE",
     "logo_churn_rate": 0,
     "churn_count": 0,
     "active_at_start": 24
    }
   ]
  },
  "by_month": {
   "summary": "GET /api/metrics/churn?start=2026-08-01&end=2026-10-31&granularity=month",
   "status": 200,
   "answer": [
    {
     "period": "2026-08-01",
     "logo_churn_rate": 0.029268,
     "churn_count": 6,
     "active_at_start": 205
    },
    {
     "period": "2026-09-01",
     "logo_churn_rate": 0.028436,
     "churn_count": 6,
     "active_at_start": 211
    }
   ]
  }
 },
 "churn_customers": {
  "example": {
   "summary": "GET /api/metrics/churn/customers?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "customer_id": "00162809-517f-4a8c-9766-a5a4913168e9",
     "customer_name": "alpha customer 223",
     "active_at_start": true,
     "fully_churned": false,
     "churned_at": null,
     "cancel_reason": null,
     "churned_mrr_cents": 0,
     "starting_mrr_cents": 48346
    },
    {
     "customer_id": "03175533-eb89-416a-83ab-38dc260c96f5",
     "customer_name": "alpha customer 286",
     "active_at_start": true,
     "fully_churned": false,
     "churned_at": null,
     "cancel_reason": null,
     "churned_mrr_cents": 0,
     "starting_mrr_cents": 0
    }
   ]
  }
 },
 "churn_revenue_events": {
  "example": {
   "summary": "GET /api/metrics/churn/revenue-events?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "customer_id": "08306f37-f662-49dc-9501-196f5e6d407f",
     "customer_name": "alpha customer 14",
     "mrr_cents": 27900,
     "events": 2
    },
    {
     "customer_id": "699ca2fc-ae6b-48b8-85e1-27953e7555da",
     "customer_name": "alpha customer 213",
     "mrr_cents": 9900,
     "events": 1
    }
   ]
  }
 },
 "expenses": {
  "plain": {
   "summary": "GET /api/metrics/expenses?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": {
    "total_base_cents": 112050,
    "line_count": 2
   }
  },
  "grouped": {
   "summary": "GET /api/metrics/expenses?start=2026-10-01&end=2026-10-31&dimensions=account_type",
   "status": 200,
   "answer": [
    {
     "account_type": "cogs",
     "total_base_cents": 12050,
     "line_count": 1
    },
    {
     "account_type": "expense",
     "total_base_cents": 100000,
     "line_count": 1
    }
   ]
  }
 },
 "expenses_by_account_type": {
  "example": {
   "summary": "GET /api/metrics/expenses/by_account_type?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "account_type": "expense",
     "amount_base_cents": 100000,
     "line_count": 1
    },
    {
     "account_type": "cogs",
     "amount_base_cents": 12050,
     "line_count": 1
    }
   ]
  }
 },
 "expenses_by_vendor": {
  "example": {
   "summary": "GET /api/metrics/expenses/by_vendor?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "vendor_id": "Lewis & Partner",
     "vendor_name": "Lewis & Partner",
     "amount_base_cents": 100000,
     "line_count": 1
    },
    {
     "vendor_id": "Acme Hosting",
     "vendor_name": "Acme Hosting",
     "amount_base_cents": 12050,
     "line_count": 1
    }
   ]
  }
 },
 "expenses_series": {
  "example": {
   "summary": "GET /api/metrics/expenses/series?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "period": "2026-10-01",
     "account_type": "cogs",
     "amount_base_cents": 12050
    },
    {
     "period": "2026-10-01",
     "account_type": "expense",
     "amount_base_cents": 100000
    }
   ]
  }
 },
 "ltv": {
  "plain": {
   "summary": "GET /api/metrics/ltv?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": 1647383.19
  },
  "grouped": {
   "summary": "GET /api/metrics/ltv?start=2026-10-01&end=2026-10-31&dimensions=customer_country",
   "status": 200,
   "answer": [
    {
     "customer_country": "BR",
     "ltv": null,
     "arpu": 17910.4,
     "logo_churn_rate": 0
    },
    {
     "customer_country": "DE",
     "ltv": null,
     "arpu": 21022.16,
     "logo_churn_rate": 0
    }
   ]
  }
 },
 "ltv_arpu": {
  "plain": {
   "summary": "GET /api/metrics/ltv/arpu?at=2026-10-31",
   "status": 200,
   "answer": 22566.89
  },
  "grouped": {
   "summary": "GET /api/metrics/ltv/arpu?at=2026-10-31&dimensions=plan_id",
   "status": 200,
   "answer": [
    {
     "plan_id": "basic-monthly",
     "arpu": 5093.54,
     "mrr": 244490,
     "active_customers": 48
    },
    {
     "plan_id": "contract-monthly",
     "arpu": 25315.6,
     "mrr": 253156,
     "active_customers": 10
    }
   ]
  },
  "series": {
   "summary": "GET /api/metrics/ltv/arpu?start=2026-08-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "period": "2026-08-01",
     "arpu": 22873.17,
     "mrr": 4528887,
     "active_customers": 198
    },
    {
     "period": "2026-09-01",
     "arpu": 22214.03,
     "mrr": 4576090,
     "active_customers": 206
    }
   ]
  }
 },
 "ltv_cohort": {
  "example": {
   "summary": "GET /api/metrics/ltv/cohort?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "cohort_month": "2026-10-01",
     "customer_count": 12,
     "total_revenue": 566319,
     "avg_revenue_per_customer": 47193.25
    }
   ]
  }
 },
 "mrr": {
  "plain": {
   "summary": "GET /api/metrics/mrr?at=2026-10-31",
   "status": 200,
   "answer": 4851882
  },
  "grouped": {
   "summary": "GET /api/metrics/mrr?at=2026-10-31&dimensions=plan_id",
   "status": 200,
   "answer": [
    {
     "plan_id": "basic-monthly",
     "mrr": 244490
    },
    {
     "plan_id": "contract-monthly",
     "mrr": 253156
    }
   ]
  },
  "series": {
   "summary": "GET /api/metrics/mrr?start=2026-08-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "period": "2026-08-01",
     "mrr": 4528887,
     "amount_base": 64288
    },
    {
     "period": "2026-09-01",
     "mrr": 4576090,
     "amount_base": 47203
    }
   ]
  },
  "forecast": {
   "summary": "GET /api/metrics/mrr?range=next-3-months&forecast=true",
   "status": 200,
   "answer": [
    {
     "period": "2026-12-01",
     "mrr": 5102014,
     "amount_base": -47124,
     "is_forecast": true
    },
    {
     "period": "2027-01-01",
     "mrr": 5093232,
     "amount_base": -8782,
     "is_forecast": true
    }
   ]
  },
  "refused": {
   "summary": "GET /api/metrics/mrr?dimensions=plan",
   "status": 400,
   "answer": {
    "detail": "Unknown dimension \"plan\".",
    "code": "unknown_dimension",
    "request_id": "6a5d4f0e-0c3b-4c55-9d8e-0f1a2b3c4d5e",
    "issues": [
     {
      "code": "unknown_dimension",
      "where": "query.dimensions",
      "value": "plan",
      "message": "Unknown dimension \"plan\".",
      "did_you_mean": [
       "plan_id",
       "plan_interval"
      ]
     }
    ],
    "issues_total": 1,
    "available_dimensions": [
     "arr_band",
     "billing_period"
    ],
    "available_filters": [
     "arr_band",
     "billing_period"
    ]
   }
  }
 },
 "arr": {
  "plain": {
   "summary": "GET /api/metrics/arr?at=2026-10-31",
   "status": 200,
   "answer": 58222584
  },
  "grouped": {
   "summary": "GET /api/metrics/arr?at=2026-10-31&dimensions=plan_id",
   "status": 200,
   "answer": [
    {
     "plan_id": "basic-monthly",
     "mrr": 244490,
     "arr": 2933880
    },
    {
     "plan_id": "contract-monthly",
     "mrr": 253156,
     "arr": 3037872
    }
   ]
  },
  "series": {
   "summary": "GET /api/metrics/arr?start=2026-08-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "period": "2026-08-01",
     "arr": 54346644,
     "mrr": 4528887,
     "amount_base": 64288
    },
    {
     "period": "2026-09-01",
     "arr": 54913080,
     "mrr": 4576090,
     "amount_base": 47203
    }
   ]
  }
 },
 "mrr_components": {
  "plain": {
   "summary": "GET /api/metrics/mrr/components?at=2026-10-31",
   "status": 200,
   "answer": {
    "subscription_mrr": 4467420,
    "usage_mrr": 384462,
    "mrr": 4851882
   }
  },
  "grouped": {
   "summary": "GET /api/metrics/mrr/components?at=2026-10-31&dimensions=plan_id",
   "status": 200,
   "answer": [
    {
     "plan_id": "basic-monthly",
     "subscription_mrr": 244490,
     "usage_mrr": 0,
     "mrr": 244490
    },
    {
     "plan_id": "contract-monthly",
     "subscription_mrr": 253156,
     "usage_mrr": 0,
     "mrr": 253156
    }
   ]
  },
  "series": {
   "summary": "GET /api/metrics/mrr/components?start=2026-08-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "period": "2026-08-01",
     "subscription_mrr": 4132703,
     "usage_mrr": 396184,
     "mrr": 4528887
    },
    {
     "period": "2026-09-01",
     "subscription_mrr": 4188799,
     "usage_mrr": 387291,
     "mrr": 4576090
    }
   ]
  }
 },
 "mrr_breakdown": {
  "example": {
   "summary": "GET /api/metrics/mrr/breakdown?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "movement_type": "new",
     "amount_base": 261784,
     "event_count": 24
    },
    {
     "movement_type": "expansion",
     "amount_base": 274573,
     "event_count": 36
    }
   ]
  }
 },
 "mrr_waterfall": {
  "example": {
   "summary": "GET /api/metrics/mrr/waterfall?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "month": "2026-10-01",
     "period": "2026-10-01",
     "starting_mrr": 4576090,
     "new": 261784,
     "expansion": 274573,
     "contraction": -233239,
     "churn": -71265,
     "reactivation": 43939,
     "transfer": 0,
     "fx_effect": 0,
     "net_change": 275792,
     "ending_mrr": 4851882
    }
   ]
  }
 },
 "mrr_why": {
  "plain": {
   "summary": "GET /api/metrics/mrr/why?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": {
    "start_mrr": 4576090,
    "end_mrr": 4851882,
    "change": 275792,
    "by_movement": {
     "new": 261784,
     "expansion": 274573,
     "contraction": -233239,
     "churn": -71265,
     "reactivation": 43939,
     "transfer": 0,
     "fx_effect": 0
    },
    "rate_parts": {
     "expansion": 826,
     "contraction": -293
    },
    "by_plan": [
     {
      "plan_id": "pro-monthly",
      "amount_base": 109875
     },
     {
      "plan_id": "ent-biannual",
      "amount_base": 74163
     }
    ],
    "movers": [
     {
      "customer_id": "f0873430-5481-45a4-9de8-3426ada7134e",
      "customer_name": "alpha customer 83",
      "subscription_id": "3bf1f30a-8548-4894-b7a1-630f1b027d9b",
      "plan_id": "ent-biannual",
      "movement_type": "contraction",
      "occurred_at": "2026-10-21T06:00:00.000Z",
      "amount_base": -125000,
      "rate_part": 0,
      "text": "alpha customer 83 changed the quantity of ent-biannual on 2026-10-21: -1,250.00 USD."
     },
     {
      "customer_id": "f0873430-5481-45a4-9de8-3426ada7134e",
      "customer_name": "alpha customer 83",
      "subscription_id": "3bf1f30a-8548-4894-b7a1-630f1b027d9b",
      "plan_id": "ent-biannual",
      "movement_type": "expansion",
      "occurred_at": "2026-10-06T06:00:00.000Z",
      "amount_base": 100000,
      "rate_part": 0,
      "text": "alpha customer 83 changed the quantity of ent-biannual on 2026-10-06: +1,000.00 USD."
     }
    ],
    "sentences": [
     "MRR rose by 2,757.92 USD from 2026-10-01 to 2026-10-31, from 45,760.90 to 48,518.82 USD.",
     "Expansion added 2,745.73 USD (customers added 2,737.47 USD, exchange rates added 8.26 USD), the largest part from ent-biannual: 2 of 36 movements."
    ]
   }
  }
 },
 "retention": {
  "example": {
   "summary": "GET /api/metrics/retention?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "cohort_month": "2026-10-01",
     "active_month": "2026-10-01",
     "months_since": 0,
     "cohort_size": 13,
     "active_count": 13,
     "retention_rate": 1,
     "is_complete": true
    }
   ]
  }
 },
 "trials": {
  "plain": {
   "summary": "GET /api/metrics/trials?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": 0.9
  },
  "grouped": {
   "summary": "GET /api/metrics/trials?start=2026-10-01&end=2026-10-31&dimensions=plan_id",
   "status": 200,
   "answer": [
    {
     "plan_id": "basic-monthly",
     "conversion_rate": 1,
     "decided_conversion_rate": 1,
     "started": 3,
     "converted": 3,
     "expired": 0
    },
    {
     "plan_id": "pro-annual",
     "conversion_rate": 0.5,
     "decided_conversion_rate": 1,
     "started": 2,
     "converted": 1,
     "expired": 0
    }
   ]
  },
  "by_month": {
   "summary": "GET /api/metrics/trials?start=2026-08-01&end=2026-10-31&granularity=month",
   "status": 200,
   "answer": [
    {
     "period": "2026-08-01",
     "conversion_rate": 1,
     "decided_conversion_rate": 1,
     "started": 7,
     "converted": 7,
     "expired": 0
    },
    {
     "period": "2026-09-01",
     "conversion_rate": 1,
     "decided_conversion_rate": 1,
     "started": 7,
     "converted": 7,
     "expired": 0
    }
   ]
  }
 },
 "trials_funnel": {
  "plain": {
   "summary": "GET /api/metrics/trials/funnel?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": {
    "started": 10,
    "converted": 9,
    "expired": 0,
    "pending": 1,
    "conversion_rate": 0.9,
    "decided_conversion_rate": 1
   }
  },
  "grouped": {
   "summary": "GET /api/metrics/trials/funnel?start=2026-10-01&end=2026-10-31&dimensions=plan_id",
   "status": 200,
   "answer": [
    {
     "plan_id": "basic-monthly",
     "started": 3,
     "converted": 3,
     "expired": 0,
     "pending": 0,
     "conversion_rate": 1,
     "decided_conversion_rate": 1
    },
    {
     "plan_id": "pro-annual",
     "started": 2,
     "converted": 1,
     "expired": 0,
     "pending": 1,
     "conversion_rate": 0.5,
     "decided_conversion_rate": 1
    }
   ]
  },
  "by_month": {
   "summary": "GET /api/metrics/trials/funnel?start=2026-08-01&end=2026-10-31&granularity=month",
   "status": 200,
   "answer": [
    {
     "period": "2026-08-01",
     "started": 7,
     "converted": 7,
     "expired": 0,
     "pending": 0,
     "conversion_rate": 1,
     "decided_conversion_rate": 1
    },
    {
     "period": "2026-09-01",
     "started": 7,
     "converted": 7,
     "expired": 0,
     "pending": 0,
     "conversion_rate": 1,
     "decided_conversion_rate": 1
    }
   ]
  }
 },
 "trials_series": {
  "example": {
   "summary": "GET /api/metrics/trials/series?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "period": "2026-10-01",
     "started": 10,
     "converted": 9,
     "expired": 0,
     "pending": 1,
     "conversion_rate": 0.9,
     "decided_conversion_rate": 1
    }
   ]
  }
 },
 "usage_revenue": {
  "plain": {
   "summary": "GET /api/metrics/usage-revenue?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": 352067
  },
  "grouped": {
   "summary": "GET /api/metrics/usage-revenue?start=2026-10-01&end=2026-10-31&dimensions=plan_id",
   "status": 200,
   "answer": [
    {
     "plan_id": "metered-monthly",
     "revenue": 257839
    },
    {
     "plan_id": "pro-monthly",
     "revenue": 94228
    }
   ]
  },
  "by_month": {
   "summary": "GET /api/metrics/usage-revenue?start=2026-08-01&end=2026-10-31&granularity=month",
   "status": 200,
   "answer": [
    {
     "period": "2026-08-01",
     "revenue": 409664
    },
    {
     "period": "2026-09-01",
     "revenue": 363228
    }
   ]
  }
 },
 "usage_revenue_series": {
  "example": {
   "summary": "GET /api/metrics/usage-revenue/series?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "period": "2026-10-01",
     "revenue": 352067
    }
   ]
  }
 },
 "usage_revenue_by_customer": {
  "example": {
   "summary": "GET /api/metrics/usage-revenue/by-customer?start=2026-10-01&end=2026-10-31",
   "status": 200,
   "answer": [
    {
     "customer_id": "f87ca908-53ee-4bc4-9aab-f65de60ec720",
     "customer_name": "alpha customer 194",
     "revenue": 43122
    },
    {
     "customer_id": "10bc313b-804f-424e-a9d9-ffd00c76b839",
     "customer_name": "alpha customer 62",
     "revenue": 28266
    }
   ]
  }
 },
 "query_metric": {
  "example": {
   "summary": "POST /api/metrics/mrr",
   "status": 200,
   "body": {
    "params": {
     "query_type": "breakdown",
     "start": "2026-10-01",
     "end": "2026-10-31"
    },
    "spec": {
     "dimensions": [
      "plan_id"
     ],
     "filters": {
      "currency": [
       "USD",
       "EUR"
      ],
      "plan_interval": {
       "!=": "year"
      }
     }
    }
   },
   "answer": [
    {
     "movement_type": "new",
     "plan_id": "basic-monthly",
     "amount_base": 14327,
     "event_count": 2
    },
    {
     "movement_type": "new",
     "plan_id": "ent-biannual",
     "amount_base": 50000,
     "event_count": 1
    }
   ]
  }
 },
 "customers": {
  "example": {
   "summary": "GET /api/customers?limit=2",
   "status": 200,
   "answer": {
    "total": 316,
    "limit": 2,
    "offset": 0,
    "rows": [
     {
      "id": "28986742-48a4-41a1-8117-5df2568c481e",
      "source_id": "0ba4791f-9345-4786-882c-5ed7b8247834",
      "tenant": "alpha",
      "external_key": "alpha-acc-0326",
      "name": "alpha customer 326",
      "email": "alpha-acc-0326@example.test",
      "country": null,
      "currency": "USD",
      "status": "trialing",
      "created_at": "2026-11-18T06:00:00.000Z",
      "first_active_at": null,
      "churned_at": null,
      "cohort_month": null,
      "live_subscriptions": 0,
      "mrr_cents": 0,
      "mrr_base_cents": 0
     },
     {
      "id": "50d322c1-bd27-44f2-850c-a57234512695",
      "source_id": "0ba4791f-9345-4786-882c-5ed7b8247834",
      "tenant": "alpha",
      "external_key": "alpha-acc-0325",
      "name": "alpha customer 325",
      "email": "alpha-acc-0325@example.test",
      "country": null,
      "currency": "EUR",
      "status": "active",
      "created_at": "2026-11-17T06:00:00.000Z",
      "first_active_at": "2026-11-17T06:00:00.000Z",
      "churned_at": null,
      "cohort_month": "2026-11-01",
      "live_subscriptions": 2,
      "mrr_cents": 117331,
      "mrr_base_cents": 130367
     }
    ]
   }
  }
 },
 "customer": {
  "example": {
   "summary": "GET /api/customers/alpha-acc-0326",
   "status": 200,
   "answer": {
    "id": "28986742-48a4-41a1-8117-5df2568c481e",
    "source_id": "0ba4791f-9345-4786-882c-5ed7b8247834",
    "tenant": "alpha",
    "external_key": "alpha-acc-0326",
    "name": "alpha customer 326",
    "email": "alpha-acc-0326@example.test",
    "country": null,
    "currency": "USD",
    "status": "trialing",
    "created_at": "2026-11-18T06:00:00.000Z",
    "first_active_at": null,
    "churned_at": null,
    "cohort_month": null,
    "live_subscriptions": 0,
    "mrr_cents": 0,
    "mrr_base_cents": 0,
    "admin_url": null,
    "subscriptions": [
     {
      "id": "d566bdf6-dcc8-44e3-bd4b-a0b9dd8eadb1",
      "source_id": "0ba4791f-9345-4786-882c-5ed7b8247834",
      "tenant": "alpha",
      "external_key": "alpha-sub-00809",
      "bundle_id": "efc59503-4f49-4f01-a83d-0927182615da",
      "bundle_external_key": "alpha-sub-00809-bundle",
      "customer_id": "28986742-48a4-41a1-8117-5df2568c481e",
      "customer_name": "alpha customer 326",
      "status": "trialing",
      "plan_id": "basic-monthly",
      "plan_name": "basic-monthly",
      "plan_interval": "month",
      "billing_period": "MONTHLY",
      "product_name": "Basic",
      "product_category": "BASE",
      "price_list": "DEFAULT",
      "phase_type": "trial",
      "collection_method": "automatic",
      "quantity": 1,
      "currency": "USD",
      "mrr_cents": 0,
      "mrr_base_cents": 0,
      "usage_mrr_base_cents": 0,
      "created_at": "2026-11-18T06:00:00.000Z",
      "started_at": "2026-11-18T06:00:00.000Z",
      "trial_start": "2026-11-18T06:00:00.000Z",
      "trial_end": "2026-12-02T06:00:00.000Z",
      "charged_through": "2026-12-02",
      "pending_cancellation": false,
      "cancel_at": null,
      "canceled_at": null,
      "ended_at": null,
      "cancel_reason": null
     }
    ],
    "attributes": {
     "channel": "partner",
     "satisfaction": 9,
     "tier": "enterprise"
    }
   }
  }
 },
 "subscriptions": {
  "example": {
   "summary": "GET /api/subscriptions?filter=status%3Dactive&limit=2",
   "status": 200,
   "answer": {
    "total": 306,
    "limit": 2,
    "offset": 0,
    "rows": [
     {
      "id": "56e99931-bf3f-402e-bfa3-d5b355da67ba",
      "source_id": "0ba4791f-9345-4786-882c-5ed7b8247834",
      "tenant": "alpha",
      "external_key": "alpha-sub-00810",
      "bundle_id": "1482aa3b-4d64-4a93-856e-13bfe5cdc426",
      "bundle_external_key": "alpha-sub-00078-bundle",
      "customer_id": "9b92d054-0499-4791-aa45-fb89f47fe975",
      "customer_name": "alpha customer 42",
      "status": "active",
      "plan_id": "support-weekly",
      "plan_name": "support-weekly",
      "plan_interval": "week",
      "billing_period": "WEEKLY",
      "product_name": "Support",
      "product_category": "ADD_ON",
      "price_list": "DEFAULT",
      "phase_type": "evergreen",
      "collection_method": "automatic",
      "quantity": 1,
      "currency": "USD",
      "mrr_cents": 4333,
      "mrr_base_cents": 4333,
      "usage_mrr_base_cents": 0,
      "created_at": "2026-11-19T06:00:00.000Z",
      "started_at": "2026-11-19T06:00:00.000Z",
      "trial_start": null,
      "trial_end": null,
      "charged_through": "2026-11-26",
      "pending_cancellation": false,
      "cancel_at": null,
      "canceled_at": null,
      "ended_at": null,
      "cancel_reason": null
     },
     {
      "id": "27475328-bb14-4a9c-aff7-18aa6cee170d",
      "source_id": "0ba4791f-9345-4786-882c-5ed7b8247834",
      "tenant": "alpha",
      "external_key": "alpha-sub-00807",
      "bundle_id": "9ed69326-64e9-4562-978c-19e70fc59c05",
      "bundle_external_key": "alpha-sub-00807-bundle",
      "customer_id": "50d322c1-bd27-44f2-850c-a57234512695",
      "customer_name": "alpha customer 325",
      "status": "active",
      "plan_id": "ent-biannual",
      "plan_name": "ent-biannual",
      "plan_interval": "month",
      "billing_period": "BIANNUAL",
      "product_name": "Enterprise",
      "product_category": "BASE",
      "price_list": "DEFAULT",
      "phase_type": "evergreen",
      "collection_method": "automatic",
      "quantity": 5,
      "currency": "EUR",
      "mrr_cents": 115000,
      "mrr_base_cents": 127777,
      "usage_mrr_base_cents": 0,
      "created_at": "2026-11-17T06:00:00.000Z",
      "started_at": "2026-11-17T06:00:00.000Z",
      "trial_start": null,
      "trial_end": null,
      "charged_through": "2027-05-17",
      "pending_cancellation": false,
      "cancel_at": null,
      "canceled_at": null,
      "ended_at": null,
      "cancel_reason": null
     }
    ]
   }
  }
 },
 "invoices": {
  "example": {
   "summary": "GET /api/invoices?filter=status%3Dopen&limit=2",
   "status": 200,
   "answer": {
    "total": 219,
    "limit": 2,
    "offset": 0,
    "rows": [
     {
      "id": "dc16a0a2-6cea-4a83-a164-b196fc01014a",
      "source_id": "0ba4791f-9345-4786-882c-5ed7b8247834",
      "tenant": "alpha",
      "number": "7351",
      "customer_id": "038a0ac8-1117-469b-a03d-5018315b7ad5",
      "customer_name": "alpha customer 182",
      "subscription_ids": [
       "0132dd0d-fa70-4c64-b9d7-3d682533af8c"
      ],
      "status": "open",
      "currency": "USD",
      "invoice_date": "2026-11-20",
      "created_at": "2026-11-20T06:00:00.000Z",
      "paid_at": null,
      "voided_at": null,
      "subtotal_cents": 2500,
      "tax_cents": 0,
      "total_cents": 2500,
      "usage_cents": 0,
      "amount_paid_cents": 0,
      "balance_cents": 2500,
      "total_base_cents": 2500,
      "balance_base_cents": 2500,
      "days_open": 0,
      "age": "0-30"
     },
     {
      "id": "3ba9c6a2-48b2-43a3-8743-481be525ba81",
      "source_id": "0ba4791f-9345-4786-882c-5ed7b8247834",
      "tenant": "alpha",
      "number": "7329",
      "customer_id": "442263c8-8bac-4b73-9c21-24cdfc25128a",
      "customer_name": "alpha customer 320",
      "subscription_ids": [
       "d85ed967-f578-4c1b-8ce1-a76c5eeb21d2"
      ],
      "status": "open",
      "currency": "EUR",
      "invoice_date": "2026-11-19",
      "created_at": "2026-11-19T06:00:00.000Z",
      "paid_at": null,
      "voided_at": null,
      "subtotal_cents": 8501,
      "tax_cents": 0,
      "total_cents": 8501,
      "usage_cents": 0,
      "amount_paid_cents": 0,
      "balance_cents": 8501,
      "total_base_cents": 9445,
      "balance_base_cents": 9445,
      "days_open": 1,
      "age": "0-30"
     }
    ]
   }
  }
 },
 "renewals": {
  "example": {
   "summary": "GET /api/subscriptions/renewals?range=next-3-months&limit=2",
   "status": 200,
   "answer": {
    "total": 137,
    "limit": 2,
    "offset": 0,
    "rows": [
     {
      "renews_on": "2026-12-01",
      "ends": "period",
      "customer_id": "040fc0b0-d208-4259-91c5-63a14f541dfe",
      "customer_name": "alpha customer 100",
      "source_id": "0ba4791f-9345-4786-882c-5ed7b8247834",
      "tenant": "alpha",
      "subscription_id": "180116e2-3b86-438c-993e-f7c12056137a",
      "plan_id": "pro-monthly",
      "billing_period": "MONTHLY",
      "quantity": 4,
      "currency": "USD",
      "mrr_cents": 22000,
      "mrr_base_cents": 22000,
      "admin_url": null
     },
     {
      "renews_on": "2026-12-01",
      "ends": "period",
      "customer_id": "892f1b7a-c9a5-4630-8ddd-5787bd33af19",
      "customer_name": "alpha customer 127",
      "source_id": "0ba4791f-9345-4786-882c-5ed7b8247834",
      "tenant": "alpha",
      "subscription_id": "5343ec0f-2d0a-4d49-837a-ee42610d7d57",
      "plan_id": "team-quarterly",
      "billing_period": "QUARTERLY",
      "quantity": 1,
      "currency": "USD",
      "mrr_cents": 10966,
      "mrr_base_cents": 10966,
      "admin_url": null
     }
    ],
    "months": [
     {
      "month": "2026-12-01",
      "renewals": 118,
      "mrr_base_cents": 1462478
     },
     {
      "month": "2027-01-01",
      "renewals": 12,
      "mrr_base_cents": 459055
     }
    ]
   }
  }
 },
 "invoice_ages": {
  "example": {
   "summary": "GET /api/invoices/ages?filter=customer_country%3DDE",
   "status": 200,
   "answer": [
    {
     "age": "0-30",
     "invoices": 1,
     "balance_base_cents": 7500
    },
    {
     "age": "31-60",
     "invoices": 1,
     "balance_base_cents": 7500
    }
   ]
  }
 },
 "billing_health": {
  "example": {
   "summary": "GET /api/billing-health",
   "status": 200,
   "answer": {
    "start": "2026-08-22",
    "end": "2026-11-19",
    "base_currency": "USD",
    "agreed_base_cents": 12906790,
    "billed_base_cents": 12736909,
    "difference_base_cents": 169881,
    "monthly_base_cents": 113587,
    "at_stake_base_cents": 233850,
    "overdue_block_base_cents": 0,
    "overdue_block_days": 0,
    "monthly_unbilled_base_cents": 172658,
    "subscription_days": 26751,
    "healthy_days": 26142,
    "unpriced_days": 0,
    "unpriced_subscriptions": 0,
    "not_due_days": 0,
    "classes": [
     {
      "class": "account_parked",
      "findings": 8,
      "subscriptions": 8,
      "customers": 5,
      "days": 519,
      "agreed_base_cents": 368829,
      "billed_base_cents": 96656,
      "difference_base_cents": 272173,
      "monthly_base_cents": 148158,
      "at_stake_base_cents": 199279
     },
     {
      "class": "quantity_reverted",
      "findings": 1,
      "subscriptions": 1,
      "customers": 1,
      "days": 90,
      "agreed_base_cents": 68194,
      "billed_base_cents": 170486,
      "difference_base_cents": -102292,
      "monthly_base_cents": -34571,
      "at_stake_base_cents": 34571
     }
    ]
   }
  }
 },
 "billing_findings": {
  "example": {
   "summary": "GET /api/billing-health/findings?limit=2",
   "status": 200,
   "answer": {
    "total": 9,
    "limit": 2,
    "offset": 0,
    "rows": [
     {
      "customer_id": "4c5721b5-39b0-4927-9d82-41cca52baaa4",
      "customer_name": "alpha customer 129",
      "source_id": "0ba4791f-9345-4786-882c-5ed7b8247834",
      "tenant": "alpha",
      "subscription_id": "22771902-afe1-4a58-9aed-d6e36ec86e96",
      "plan_id": "team-quarterly",
      "class": "account_parked",
      "first_day": "2026-10-04",
      "last_day": "2026-11-19",
      "began_on": "2026-10-04",
      "is_open": true,
      "days": 47,
      "currency": "GBP",
      "agreed_cents": 107097,
      "billed_cents": 0,
      "agreed_base_cents": 136312,
      "billed_base_cents": 0,
      "difference_base_cents": 136312,
      "monthly_base_cents": 88216,
      "confidence": "certain",
      "reason": "The account is marked as parked.",
      "sentence": "Agreed: 8 units for 693.09 GBP a month. Billed: nothing, since 2026-10-04. The engine has parked the account after an error in its items.",
      "remedy": "Repair the items of the account, and unpark it. Then look at a dry run before you invoice it.",
      "admin_url": null,
      "evidence": [
       {
        "table": "invoice_items",
        "record_id": 3666,
        "id": "18e7bd33-e2dc-4ff1-9a44-f1772acf2b53",
        "occurred_at": "2026-01-11T06:00:00.000Z",
        "note": "RECURRING pro-annual-evergreen 3409.34 GBP from 2026-01-11 to before 2027-01-04 at the price of the catalog of 2025-08-02"
       },
       {
        "table": "invoice_items",
        "record_id": 4678,
        "id": "eb36b0ff-7a3c-4552-b870-3fd5abaf769c",
        "occurred_at": "2026-03-09T06:00:00.000Z",
        "note": "REPAIR_ADJ -2866.51 GBP from 2026-03-09 to before 2027-01-04"
       }
      ]
     },
     {
      "customer_id": "e6fa3173-34d9-475e-be3b-8f2a592e9c76",
      "customer_name": "alpha customer 78",
      "source_id": "0ba4791f-9345-4786-882c-5ed7b8247834",
      "tenant": "alpha",
      "subscription_id": "aa47777e-07ff-464a-b3ca-29b58d638a27",
      "plan_id": "pro-monthly",
      "class": "quantity_reverted",
      "first_day": "2026-08-22",
      "last_day": "2026-11-19",
      "began_on": "2025-09-23",
      "is_open": true,
      "days": 90,
      "currency": "JPY",
      "agreed_cents": 9764384,
      "billed_cents": 24410959,
      "agreed_base_cents": 68194,
      "billed_base_cents": 170486,
      "difference_base_cents": -102292,
      "monthly_base_cents": -34571,
      "confidence": "certain",
      "reason": "The billed amount is the price for the quantity to which the engine goes back.",
      "sentence": "Agreed: 4 units for 33000 JPY a month. Billed: 10 units for 82500 JPY a month, since 2025-09-23. At the price date 2025-09-23, the engine went back to the quantity of the last plan or phase event.",
      "remedy": "Check the agreed quantity, and set it once more, with an effective date after the price date.",
      "admin_url": null,
      "evidence": [
       {
        "table": "invoice_items",
        "record_id": 7554,
        "id": "00936512-edc1-4735-9c69-b69ae3cf6055",
        "occurred_at": "2026-07-24T06:00:00.000Z",
        "note": "RECURRING pro-monthly-evergreen 82500 JPY from 2026-07-24 to before 2026-08-24 at the price of the catalog of 2025-08-02"
       },
       {
        "table": "invoice_items",
        "record_id": 8224,
        "id": "671d3deb-0875-4820-87b8-064e8cc23271",
        "occurred_at": "2026-08-24T06:00:00.000Z",
        "note": "RECURRING pro-monthly-evergreen 82500 JPY from 2026-08-24 to before 2026-09-24 at the price of the catalog of 2025-08-02"
       }
      ]
     }
    ]
   }
  }
 },
 "billing_notices": {
  "example": {
   "summary": "GET /api/billing-health/notices?limit=2",
   "status": 200,
   "answer": {
    "total": 301,
    "limit": 2,
    "offset": 0,
    "rows": [
     {
      "kind": "mrr_at_risk",
      "customer_id": "c62c3417-4b7c-40e2-b58d-a4d738ddb104",
      "customer_name": "alpha customer 57",
      "source_id": "0ba4791f-9345-4786-882c-5ed7b8247834",
      "tenant": "alpha",
      "subscription_id": null,
      "plan_id": null,
      "invoice_id": null,
      "invoice_number": null,
      "since": "2025-03-06",
      "currency": "USD",
      "amount_cents": 3000866,
      "amount_base_cents": 3000866,
      "monthly_cents": 153000,
      "monthly_base_cents": 153000,
      "sentence": "21 invoices are unpaid for more than 30 days.",
      "remedy": "Record payments that the engine does not know. Then collect the open invoices, or pause the subscriptions.",
      "admin_url": null
     },
     {
      "kind": "silent_account",
      "customer_id": "4c5721b5-39b0-4927-9d82-41cca52baaa4",
      "customer_name": "alpha customer 129",
      "source_id": "0ba4791f-9345-4786-882c-5ed7b8247834",
      "tenant": "alpha",
      "subscription_id": null,
      "plan_id": null,
      "invoice_id": null,
      "invoice_number": null,
      "since": "2026-07-04",
      "currency": "GBP",
      "amount_cents": 0,
      "amount_base_cents": 0,
      "monthly_cents": 69309,
      "monthly_base_cents": 88216,
      "sentence": "The last invoice is of 2026-07-04.",
      "remedy": "Look at a dry run of the invoice up to today, and at errors of the invoice run. Invoice the account only if nobody else bills it.",
      "admin_url": null
     }
    ],
    "lists": [
     {
      "kind": "addon_without_entitlement",
      "description": "Add-ons without entitlement that are billed without an end.",
      "count": 3,
      "amount_base_cents": 0,
      "monthly_base_cents": 7240
     },
     {
      "kind": "mrr_at_risk",
      "description": "Customers in MRR that are overdue, or with an invoice unpaid for more than 30 days.",
      "count": 18,
      "amount_base_cents": 8776848,
      "monthly_base_cents": 463823
     }
    ]
   }
  }
 },
 "create_segment": {
  "example": {
   "summary": "POST /api/segments",
   "status": 201,
   "body": {
    "name": "Germany",
    "definition": {
     "root": {
      "op": "and",
      "conditions": [
       {
        "field": "customer_country",
        "op": "=",
        "value": "DE"
       }
      ]
     }
    }
   },
   "answer": {
    "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c001",
    "name": "Germany",
    "description": null,
    "definition": {
     "root": {
      "op": "and",
      "conditions": [
       {
        "field": "customer_country",
        "op": "=",
        "value": "DE"
       }
      ]
     }
    },
    "created_by": null,
    "created_at": "2026-11-20T23:59:59.000Z",
    "updated_at": "2026-11-20T23:59:59.000Z",
    "warnings": []
   }
  }
 },
 "segment_fields": {
  "example": {
   "summary": "GET /api/segments/fields",
   "status": 200,
   "answer": [
    {
     "field": "arr_band",
     "label": "ARR band",
     "type": "string",
     "operators": [
      "=",
      "!="
     ],
     "examples": [
      "Free",
      "<$1.2k"
     ],
     "metrics": [
      "churn",
      "ltv"
     ]
    },
    {
     "field": "attr.channel",
     "label": "channel",
     "type": "string",
     "operators": [
      "=",
      "!="
     ],
     "examples": [
      "direct",
      "self-service"
     ],
     "metrics": [
      "churn",
      "ltv"
     ]
    }
   ]
  }
 },
 "validate_segment": {
  "example": {
   "summary": "POST /api/segments/validate",
   "status": 200,
   "body": {
    "root": {
     "op": "and",
     "conditions": [
      {
       "field": "customer_country",
       "op": "=",
       "value": "DE"
      }
     ]
    }
   },
   "answer": {
    "valid": true,
    "errors": [],
    "errors_by_metric": {
     "churn": [],
     "ltv": [],
     "mrr": [],
     "retention": [],
     "trials": [],
     "usage_revenue": []
    },
    "warnings": []
   }
  }
 },
 "segment": {
  "example": {
   "summary": "GET /api/segments/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c001",
   "status": 200,
   "answer": {
    "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c001",
    "name": "Germany",
    "description": null,
    "definition": {
     "root": {
      "op": "and",
      "conditions": [
       {
        "field": "customer_country",
        "op": "=",
        "value": "DE"
       }
      ]
     }
    },
    "created_by": null,
    "created_at": "2026-11-20T23:59:59.000Z",
    "updated_at": "2026-11-20T23:59:59.000Z",
    "warnings": []
   }
  }
 },
 "update_segment": {
  "example": {
   "summary": "PUT /api/segments/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c001",
   "status": 200,
   "body": {
    "description": "Customers in Germany"
   },
   "answer": {
    "status": "updated",
    "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c001",
    "name": "Germany",
    "description": "Customers in Germany",
    "definition": {
     "root": {
      "op": "and",
      "conditions": [
       {
        "field": "customer_country",
        "op": "=",
        "value": "DE"
       }
      ]
     }
    },
    "created_by": null,
    "created_at": "2026-11-20T23:59:59.000Z",
    "updated_at": "2026-11-20T23:59:59.000Z",
    "warnings": []
   }
  }
 },
 "segments": {
  "example": {
   "summary": "GET /api/segments",
   "status": 200,
   "answer": [
    {
     "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c001",
     "name": "Germany",
     "description": "Customers in Germany",
     "definition": {
      "root": {
       "op": "and",
       "conditions": [
        {
         "field": "customer_country",
         "op": "=",
         "value": "DE"
        }
       ]
      }
     },
     "created_by": null,
     "created_at": "2026-11-20T23:59:59.000Z",
     "updated_at": "2026-11-20T23:59:59.000Z",
     "warnings": []
    }
   ]
  }
 },
 "delete_segment": {
  "example": {
   "summary": "DELETE /api/segments/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c001",
   "status": 200,
   "answer": {
    "status": "deleted"
   }
  }
 },
 "declare_attribute": {
  "example": {
   "summary": "POST /api/attributes",
   "status": 201,
   "body": {
    "key": "region",
    "type": "string",
    "label": "Region"
   },
   "answer": {
    "key": "region",
    "type": "string",
    "label": "Region",
    "description": null,
    "source": "api",
    "created_at": "2026-11-20T23:59:59.000Z",
    "updated_at": "2026-11-20T23:59:59.000Z",
    "editable": true
   }
  }
 },
 "update_attribute": {
  "example": {
   "summary": "PUT /api/attributes/region",
   "status": 200,
   "body": {
    "description": "Where we sell"
   },
   "answer": {
    "status": "updated",
    "key": "region",
    "label": "Region",
    "type": "string",
    "source": "api",
    "description": "Where we sell",
    "created_at": "2026-11-20T23:59:59.000Z",
    "updated_at": "2026-11-20T23:59:59.000Z",
    "editable": true
   }
  }
 },
 "set_attributes": {
  "example": {
   "summary": "POST /api/customers/alpha-acc-0001/attributes",
   "status": 200,
   "body": {
    "attributes": {
     "region": "north"
    }
   },
   "answer": {
    "upserted": 1,
    "unchanged": 0,
    "keys_created": []
   }
  }
 },
 "import_attributes": {
  "example": {
   "summary": "POST /api/attributes/import",
   "status": 200,
   "body": {
    "file": "external,region\nalpha-acc-0002,south\n"
   },
   "answer": {
    "rows_read": 1,
    "rows_upserted": 1,
    "unknown_customers": [],
    "keys_created": [],
    "cells_rejected": [],
    "kept_as_text": [],
    "unknown_customers_total": 0,
    "cells_rejected_total": 0
   }
  }
 },
 "attributes": {
  "example": {
   "summary": "GET /api/attributes",
   "status": 200,
   "answer": [
    {
     "key": "channel",
     "label": "channel",
     "type": "string",
     "source": "csv",
     "description": null,
     "created_at": "2026-11-20T23:59:59.000Z",
     "updated_at": "2026-11-20T23:59:59.000Z",
     "editable": true
    },
    {
     "key": "computed.arr_band",
     "label": "ARR band",
     "type": "string",
     "source": "computed",
     "description": "Size of the subscription by 12 times its base MRR: Free, <$1.2k, $1.2k-$6k, $6k-$12k, $12k-$60k, $60k+.",
     "editable": false,
     "created_at": null,
     "updated_at": null
    }
   ]
  }
 },
 "attribute_values": {
  "example": {
   "summary": "GET /api/attributes/region/values",
   "status": 200,
   "answer": {
    "key": "region",
    "type": "string",
    "values": [
     "north",
     "south"
    ],
    "truncated": false
   }
  }
 },
 "customer_attributes": {
  "example": {
   "summary": "GET /api/customer-attributes?key=region",
   "status": 200,
   "answer": {
    "total": 2,
    "limit": 100,
    "offset": 0,
    "rows": [
     {
      "customer_id": "a8b2532e-e9e7-4b10-b65a-c2a5ae8a37d9",
      "customer_external_id": "alpha-acc-0002",
      "customer_name": "alpha customer 2",
      "customer_email": "alpha-acc-0002@example.test",
      "key": "region",
      "value": "south",
      "origin": "csv",
      "updated_at": "2026-11-20T23:59:59.000Z"
     },
     {
      "customer_id": "b0cd7ee6-e0f2-4eba-9171-533e5087cc1e",
      "customer_external_id": "alpha-acc-0001",
      "customer_name": "alpha customer 1",
      "customer_email": "alpha-acc-0001@example.test",
      "key": "region",
      "value": "north",
      "origin": "api",
      "updated_at": "2026-11-20T23:59:59.000Z"
     }
    ]
   }
  }
 },
 "delete_attribute_value": {
  "example": {
   "summary": "DELETE /api/customers/alpha-acc-0001/attributes/region",
   "status": 200,
   "answer": {
    "status": "deleted"
   }
  }
 },
 "create_chart": {
  "example": {
   "summary": "POST /api/charts",
   "status": 201,
   "body": {
    "name": "MRR by plan",
    "config": {
     "path": "mrr/breakdown",
     "chart": "bar"
    }
   },
   "answer": {
    "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c005",
    "name": "MRR by plan",
    "config": {
     "path": "mrr/breakdown",
     "chart": "bar"
    },
    "created_at": "2026-11-20T23:59:59.000Z",
    "updated_at": "2026-11-20T23:59:59.000Z"
   }
  }
 },
 "update_chart": {
  "example": {
   "summary": "PUT /api/charts/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c005",
   "status": 200,
   "body": {
    "name": "Recurring revenue by plan"
   },
   "answer": {
    "status": "updated"
   }
  }
 },
 "charts": {
  "example": {
   "summary": "GET /api/charts",
   "status": 200,
   "answer": [
    {
     "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c005",
     "name": "Recurring revenue by plan",
     "config": {
      "path": "mrr/breakdown",
      "chart": "bar"
     },
     "created_at": "2026-11-20T23:59:59.000Z",
     "updated_at": "2026-11-20T23:59:59.000Z"
    }
   ]
  }
 },
 "create_dashboard": {
  "example": {
   "summary": "POST /api/dashboards",
   "status": 201,
   "body": {
    "name": "Monday",
    "description": "What we look at first"
   },
   "answer": {
    "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c006",
    "name": "Monday",
    "description": "What we look at first",
    "created_at": "2026-11-20T23:59:59.000Z",
    "updated_at": "2026-11-20T23:59:59.000Z"
   }
  }
 },
 "add_section": {
  "example": {
   "summary": "POST /api/dashboards/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c006/sections",
   "status": 201,
   "body": {
    "title": "Revenue"
   },
   "answer": {
    "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c007",
    "title": "Revenue",
    "position": 0
   }
  }
 },
 "update_section": {
  "example": {
   "summary": "PUT /api/dashboards/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c006/sections/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c007",
   "status": 200,
   "body": {
    "position": 1
   },
   "answer": {
    "status": "updated"
   }
  }
 },
 "place_chart": {
  "example": {
   "summary": "POST /api/dashboards/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c006/charts",
   "status": 201,
   "body": {
    "saved_chart_id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c005",
    "section_id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c007"
   },
   "answer": {
    "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c008",
    "status": "added"
   }
  }
 },
 "move_chart": {
  "example": {
   "summary": "PUT /api/dashboards/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c006/charts/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c008",
   "status": 200,
   "body": {
    "position": 2
   },
   "answer": {
    "status": "updated"
   }
  }
 },
 "update_dashboard": {
  "example": {
   "summary": "PUT /api/dashboards/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c006",
   "status": 200,
   "body": {
    "description": null
   },
   "answer": {
    "status": "updated"
   }
  }
 },
 "dashboards": {
  "example": {
   "summary": "GET /api/dashboards",
   "status": 200,
   "answer": [
    {
     "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c006",
     "name": "Monday",
     "description": null,
     "created_at": "2026-11-20T23:59:59.000Z",
     "updated_at": "2026-11-20T23:59:59.000Z"
    }
   ]
  }
 },
 "dashboard": {
  "example": {
   "summary": "GET /api/dashboards/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c006",
   "status": 200,
   "answer": {
    "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c006",
    "name": "Monday",
    "description": null,
    "created_at": "2026-11-20T23:59:59.000Z",
    "updated_at": "2026-11-20T23:59:59.000Z",
    "sections": [
     {
      "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c007",
      "title": "Revenue",
      "position": 1,
      "charts": [
       {
        "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c008",
        "saved_chart_id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c005",
        "position": 2,
        "chart": {
         "name": "Recurring revenue by plan",
         "config": {
          "path": "mrr/breakdown",
          "chart": "bar"
         }
        }
       }
      ]
     }
    ]
   }
  }
 },
 "remove_chart": {
  "example": {
   "summary": "DELETE /api/dashboards/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c006/charts/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c008",
   "status": 200,
   "answer": {
    "status": "removed"
   }
  }
 },
 "delete_section": {
  "example": {
   "summary": "DELETE /api/dashboards/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c006/sections/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c007",
   "status": 200,
   "answer": {
    "status": "deleted"
   }
  }
 },
 "delete_dashboard": {
  "example": {
   "summary": "DELETE /api/dashboards/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c006",
   "status": 200,
   "answer": {
    "status": "deleted"
   }
  }
 },
 "delete_chart": {
  "example": {
   "summary": "DELETE /api/charts/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c005",
   "status": 200,
   "answer": {
    "status": "deleted"
   }
  }
 },
 "mcp": {
  "example": {
   "summary": "POST /mcp",
   "status": 200,
   "body": {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {
     "name": "query_metric",
     "arguments": {
      "metric": "mrr",
      "at": "2026-10-31",
      "compare_to": "previous"
     }
    }
   },
   "answer": {
    "result": {
     "content": [
      {
       "type": "text",
       "text": "mrr, 2026-10-31\nvalue: 48518.82\nprevious: 45760.90\nchange: 2757.92\nchange_rate: 0.060268\nAmounts are USD.\nFractions (0.05 is 5 %): change_rate.\nCompared with 2026-09-30.\nData through 2026-11-20T23:59:59.000Z."
      }
     ]
    },
    "jsonrpc": "2.0",
    "id": 1
   }
  }
 },
 "add_source": {
  "example": {
   "summary": "POST /api/sources",
   "status": 201,
   "body": {
    "type": "toy",
    "config": {
     "company": "7"
    }
   },
   "answer": {
    "id": "toy-7",
    "type": "toy",
    "name": "Toy (7)",
    "config": {
     "company": "7"
    },
    "status": "needs_reconnect",
    "created_at": "2026-11-20T23:59:59.000Z",
    "last_synced_at": null,
    "kind": "accounting",
    "last_run": null,
    "waiting": 0,
    "dead_letters": 0,
    "unsupported": []
   }
  }
 },
 "start_consent": {
  "example": {
   "summary": "GET /api/connectors/toy/oauth/start",
   "status": 200,
   "answer": {
    "authorize_url": "https://books.example.com/authorize?state=what-ties-it-to-this-browser&redirect_uri=http%3A%2F%2F127.0.0.1%2Fapi%2Fconnectors%2Ftoy%2Foauth%2Fcallback"
   }
  }
 },
 "end_consent": {
  "example": {
   "summary": "GET /api/connectors/toy/oauth/callback?code=what-the-platform-gave&state=what-ties-it-to-this-browser&company=7",
   "status": 200,
   "answer": {
    "id": "toy-7",
    "type": "toy",
    "name": "Toy (7)",
    "config": {
     "company": "7"
    },
    "status": "connected",
    "created_at": "2026-11-20T23:59:59.000Z",
    "last_synced_at": null,
    "kind": "accounting",
    "last_run": null,
    "waiting": 0,
    "dead_letters": 0,
    "unsupported": []
   }
  }
 },
 "webhook": {
  "example": {
   "summary": "POST /api/webhooks/toy",
   "status": 200,
   "body": {
    "events": [
     {
      "company": "7",
      "entity": "Bill",
      "id": "12",
      "operation": "update"
     }
    ]
   },
   "answer": {
    "status": "ok",
    "accepted": 1,
    "ignored": 0
   }
  }
 },
 "dead_letters": {
  "example": {
   "summary": "GET /api/sources/toy-7/dead-letters",
   "status": 200,
   "answer": {
    "total": 1,
    "limit": 100,
    "offset": 0,
    "rows": [
     {
      "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c003",
      "entity": "Bill",
      "entity_id": "12",
      "operation": "update",
      "received_at": "2026-11-20T23:59:59.000Z",
      "attempts": 1,
      "error": "The platform answers 500."
     }
    ]
   }
  }
 },
 "retry_dead_letters": {
  "example": {
   "summary": "POST /api/sources/toy-7/dead-letters/retry",
   "status": 200,
   "body": {
    "ids": "all"
   },
   "answer": {
    "status": "waiting",
    "retried": 1
   }
  }
 },
 "drop_dead_letter": {
  "example": {
   "summary": "DELETE /api/sources/toy-7/dead-letters/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c003",
   "status": 200,
   "answer": {
    "status": "deleted"
   }
  }
 },
 "sources": {
  "example": {
   "summary": "GET /api/sources",
   "status": 200,
   "answer": [
    {
     "id": "0ba4791f-9345-4786-882c-5ed7b8247834",
     "type": "killbill",
     "name": "alpha",
     "kind": "database",
     "status": "connected",
     "config": {},
     "created_at": null,
     "last_synced_at": null,
     "last_run": null,
     "waiting": 0,
     "dead_letters": 0,
     "unsupported": []
    },
    {
     "id": "csv-bank",
     "type": "csv",
     "name": "bank",
     "config": {},
     "status": "connected",
     "created_at": "2026-11-20T23:59:59.000Z",
     "last_synced_at": "2026-11-20T23:59:59.000Z",
     "kind": "file",
     "last_run": null,
     "waiting": 0,
     "dead_letters": 0,
     "unsupported": []
    }
   ]
  }
 },
 "backfill_source": {
  "example": {
   "summary": "POST /api/sources/toy-7/backfill",
   "status": 202,
   "body": {
    "since": "2026-01-01"
   },
   "answer": {
    "status": "started",
    "source_id": "toy-7",
    "run_id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c004"
   }
  }
 },
 "disconnect_source": {
  "example": {
   "summary": "DELETE /api/sources/toy-7",
   "status": 200,
   "answer": {
    "status": "disconnected",
    "source_id": "toy-7",
    "revoked": true
   }
  }
 },
 "auth_config": {
  "example": {
   "summary": "GET /auth/config",
   "status": 200,
   "answer": {
    "auth_enabled": false,
    "oidc_issuer": null,
    "oidc_client_id": null
   }
  }
 },
 "auth_me": {
  "example": {
   "summary": "GET /auth/me",
   "status": 200,
   "answer": {
    "id": "anonymous",
    "email": null,
    "name": null,
    "avatar_url": null,
    "kind": "anonymous",
    "scopes": [
     "read:aggregate",
     "read"
    ]
   }
  }
 },
 "create_key": {
  "example": {
   "summary": "POST /api/keys",
   "status": 201,
   "body": {
    "name": "Grafana",
    "scopes": [
     "read:aggregate"
    ]
   },
   "answer": {
    "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c005",
    "name": "Grafana",
    "key_prefix": "pl_the-key-",
    "scopes": [
     "read:aggregate"
    ],
    "created_at": "2026-11-20T23:59:59.000Z",
    "last_used_at": null,
    "expires_at": null,
    "revoked_at": null,
    "key": "pl_the-key-itself-which-nobody-can-read-again-"
   }
  }
 },
 "keys": {
  "example": {
   "summary": "GET /api/keys",
   "status": 200,
   "answer": [
    {
     "id": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c005",
     "name": "Grafana",
     "key_prefix": "pl_the-key-",
     "scopes": [
      "read:aggregate"
     ],
     "created_at": "2026-11-20T23:59:59.000Z",
     "last_used_at": null,
     "expires_at": null,
     "revoked_at": null
    }
   ]
  }
 },
 "revoke_key": {
  "example": {
   "summary": "DELETE /api/keys/5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c005",
   "status": 200,
   "answer": {
    "status": "revoked"
   }
  }
 },
 "audit": {
  "example": {
   "summary": "GET /api/audit?action=key.create",
   "status": 200,
   "answer": {
    "total": 1,
    "limit": 100,
    "offset": 0,
    "rows": [
     {
      "id": "1",
      "at": "2026-11-20T23:59:59.000Z",
      "actor_id": "anonymous",
      "actor_kind": "anonymous",
      "actor_name": null,
      "action": "key.create",
      "path": "POST /api/keys",
      "target": "5b0e7a52-8f0c-4f6e-9d6c-0a4f4de0c005",
      "remote_address": null,
      "request_id": "6a5d4f0e-0c3b-4c55-9d8e-0f1a2b3c4d5e",
      "outcome": "ok",
      "status": 201,
      "count": 1
     }
    ]
   }
  }
 }
}
