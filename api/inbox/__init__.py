"""The inbox of a player, and webhooks, which send its entries on."""
