-- relation: stored_rate
-- Exchange rates of the store, shared by all workspaces (D11).
select fx_rate.from_currency, fx_rate.to_currency, fx_rate.rate_date, fx_rate.rate
from fx_rate
