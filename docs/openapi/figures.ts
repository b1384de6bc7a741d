// Written by `npm run client` from the figures of /api/metrics/{metric}/fields.

/** The figures that metrics declare, in the order of menus. */
export const FIGURES = [
  {
    "metric": "mrr",
    "id": "mrr",
    "label": "MRR",
    "query_type": "series",
    "measure": "mrr",
    "chart": "area",
    "place": 1,
    "search": "recurring revenue monthly",
    "headline": "mrr",
    "path": "/api/metrics/mrr",
    "query": {},
    "is_level": true,
    "step": "interval",
    "alone": "/api/metrics/mrr",
    "is_counted": false,
    "rows": {
      "query": {},
      "measures": [
        "mrr"
      ],
      "note": null
    }
  },
  {
    "metric": "mrr",
    "id": "arr",
    "label": "ARR",
    "query_type": "arr",
    "measure": "arr",
    "chart": "area",
    "place": 2,
    "search": "recurring revenue annual yearly",
    "headline": "arr",
    "path": "/api/metrics/arr",
    "query": {},
    "is_level": true,
    "step": "interval",
    "alone": "/api/metrics/arr",
    "is_counted": false,
    "rows": {
      "query": {
        "query_type": "arr"
      },
      "measures": [
        "arr"
      ],
      "note": null
    }
  },
  {
    "metric": "mrr",
    "id": "usage_mrr",
    "label": "Usage MRR",
    "query_type": "components",
    "measure": "usage_mrr",
    "chart": "area",
    "place": 3,
    "search": "",
    "headline": null,
    "path": "/api/metrics/mrr/components",
    "query": {},
    "is_level": true,
    "step": "interval",
    "alone": "/api/metrics/mrr/components",
    "is_counted": false,
    "rows": {
      "query": {
        "query_type": "components"
      },
      "measures": [
        "usage_mrr"
      ],
      "note": null
    }
  },
  {
    "metric": "ltv",
    "id": "arpu",
    "label": "Revenue per customer",
    "query_type": "arpu",
    "measure": "arpu",
    "chart": "line",
    "place": 4,
    "search": "arpa average account user",
    "headline": "arpu",
    "path": "/api/metrics/ltv/arpu",
    "query": {},
    "is_level": true,
    "step": "interval",
    "alone": "/api/metrics/ltv/arpu",
    "is_counted": false,
    "rows": {
      "query": {
        "query_type": "arpu"
      },
      "measures": [
        "mrr",
        "active_customers"
      ],
      "note": null
    }
  },
  {
    "metric": "ltv",
    "id": "customers",
    "label": "Paying customers",
    "query_type": "arpu",
    "measure": "active_customers",
    "chart": "line",
    "place": 5,
    "search": "paying subscribers logos accounts",
    "headline": "active_customers",
    "path": "/api/metrics/ltv/arpu",
    "query": {},
    "is_level": true,
    "step": "interval",
    "alone": "/api/metrics/summary",
    "is_counted": true,
    "rows": {
      "query": {
        "query_type": "arpu"
      },
      "measures": [
        "active_customers",
        "mrr"
      ],
      "note": null
    }
  },
  {
    "metric": "mrr",
    "id": "movements",
    "label": "MRR movements",
    "query_type": "breakdown",
    "measure": "amount_base",
    "chart": "bars",
    "place": 6,
    "search": "new expansion contraction reactivation upgrade downgrade",
    "headline": "net_new_mrr",
    "path": "/api/metrics/mrr/breakdown",
    "query": {},
    "is_level": false,
    "step": "granularity",
    "alone": "/api/metrics/mrr/breakdown",
    "is_counted": false,
    "rows": {
      "query": {
        "query_type": "breakdown"
      },
      "measures": [
        "amount_base"
      ],
      "note": null
    }
  },
  {
    "metric": "churn",
    "id": "logo_churn",
    "label": "Logo churn",
    "query_type": "logo",
    "measure": "logo_churn_rate",
    "chart": "line",
    "place": 7,
    "search": "customer",
    "headline": "logo_churn_rate",
    "path": "/api/metrics/churn",
    "query": {},
    "is_level": false,
    "step": "granularity",
    "alone": "/api/metrics/churn",
    "is_counted": false,
    "rows": {
      "query": {},
      "measures": [
        "churn_count",
        "active_at_start"
      ],
      "note": null
    }
  },
  {
    "metric": "churn",
    "id": "churned_customers",
    "label": "Churned customers",
    "query_type": "logo",
    "measure": "churn_count",
    "chart": "bars",
    "place": 8,
    "search": "",
    "headline": null,
    "path": "/api/metrics/churn",
    "query": {},
    "is_level": false,
    "step": "granularity",
    "alone": null,
    "is_counted": false,
    "rows": {
      "query": {},
      "measures": [
        "churn_count",
        "active_at_start"
      ],
      "note": null
    }
  },
  {
    "metric": "churn",
    "id": "revenue_churn",
    "label": "Revenue churn",
    "query_type": "revenue",
    "measure": "revenue_churn_rate",
    "chart": "line",
    "place": 9,
    "search": "",
    "headline": "revenue_churn_rate",
    "path": "/api/metrics/churn",
    "query": {
      "type": "revenue"
    },
    "is_level": false,
    "step": "granularity",
    "alone": "/api/metrics/churn",
    "is_counted": false,
    "rows": {
      "query": {
        "type": "revenue"
      },
      "measures": [
        "revenue_lost",
        "start_mrr"
      ],
      "note": null
    }
  },
  {
    "metric": "retention",
    "id": "nrr",
    "label": "Net revenue retention",
    "query_type": "nrr",
    "measure": "retention_rate",
    "chart": "line",
    "place": 10,
    "search": "ndr net dollar",
    "headline": "nrr_12_months",
    "path": "/api/metrics/retention",
    "query": {
      "query_type": "nrr"
    },
    "is_level": false,
    "step": "granularity",
    "alone": "/api/metrics/retention",
    "is_counted": false,
    "rows": {
      "query": {
        "query_type": "nrr"
      },
      "measures": [
        "start_mrr",
        "expansion",
        "contraction",
        "churn",
        "reactivation"
      ],
      "note": null
    }
  },
  {
    "metric": "retention",
    "id": "grr",
    "label": "Gross revenue retention",
    "query_type": "grr",
    "measure": "retention_rate",
    "chart": "line",
    "place": 11,
    "search": "gdr gross dollar",
    "headline": "grr_12_months",
    "path": "/api/metrics/retention",
    "query": {
      "query_type": "grr"
    },
    "is_level": false,
    "step": "granularity",
    "alone": "/api/metrics/retention",
    "is_counted": false,
    "rows": {
      "query": {
        "query_type": "grr"
      },
      "measures": [
        "start_mrr",
        "contraction",
        "churn"
      ],
      "note": null
    }
  },
  {
    "metric": "ltv",
    "id": "ltv",
    "label": "Lifetime value",
    "query_type": "simple",
    "measure": "ltv",
    "chart": "bars",
    "place": 12,
    "search": "clv cltv lifetime",
    "headline": "ltv",
    "path": "/api/metrics/ltv",
    "query": {},
    "is_level": false,
    "step": null,
    "alone": "/api/metrics/ltv",
    "is_counted": false,
    "rows": {
      "query": {},
      "measures": [
        "mrr",
        "active_customers"
      ],
      "note": "Lifetime value is revenue per customer divided by customer churn. The rows are the MRR and the customers at the end of the period."
    }
  },
  {
    "metric": "trials",
    "id": "trial_conversion",
    "label": "Trial conversion",
    "query_type": "conversion_rate",
    "measure": "conversion_rate",
    "chart": "line",
    "place": 13,
    "search": "rate",
    "headline": "trial_conversion_rate",
    "path": "/api/metrics/trials",
    "query": {},
    "is_level": false,
    "step": "granularity",
    "alone": "/api/metrics/trials",
    "is_counted": false,
    "rows": {
      "query": {
        "query_type": "funnel"
      },
      "measures": [
        "converted",
        "started"
      ],
      "note": null
    }
  },
  {
    "metric": "trials",
    "id": "trials",
    "label": "Trials started",
    "query_type": "conversion_rate",
    "measure": "started",
    "chart": "bars",
    "place": 14,
    "search": "",
    "headline": null,
    "path": "/api/metrics/trials",
    "query": {},
    "is_level": false,
    "step": "granularity",
    "alone": "/api/metrics/trials/funnel",
    "is_counted": false,
    "rows": {
      "query": {
        "query_type": "funnel"
      },
      "measures": [
        "started",
        "converted",
        "pending",
        "expired"
      ],
      "note": null
    }
  },
  {
    "metric": "usage_revenue",
    "id": "usage_revenue",
    "label": "Usage revenue",
    "query_type": "total",
    "measure": "revenue",
    "chart": "bars",
    "place": 15,
    "search": "metered consumption",
    "headline": null,
    "path": "/api/metrics/usage-revenue",
    "query": {},
    "is_level": false,
    "step": "granularity",
    "alone": "/api/metrics/usage-revenue",
    "is_counted": false,
    "rows": {
      "query": {},
      "measures": [
        "revenue"
      ],
      "note": null
    }
  }
] as const
