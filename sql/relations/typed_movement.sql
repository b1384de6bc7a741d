-- relation: typed_movement
-- reads:    movement
-- Movements with the kinds that the definitions give them: those of single subscriptions.
select movement.*
from relation.movement as movement
