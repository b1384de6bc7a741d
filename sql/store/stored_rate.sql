-- relation: stored_rate
-- Exchange rates that the store keeps for all workspaces (D11).
select fx_rate.from_currency, fx_rate.to_currency, fx_rate.rate_date, fx_rate.rate
from fx_rate
