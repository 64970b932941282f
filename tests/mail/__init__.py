"""Play by mail: through a real server on loopback, with mails that go out to one and come in by another."""
