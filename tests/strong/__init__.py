"""The strong bot: its worlds, its playouts, its choices, and how the server plays and explains them."""
