"""What people do with their own accounts: sessions, recovery codes, guests, e-mail, own data, and leaving."""
