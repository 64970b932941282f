"""What runs behind the routes and the commands: stores that are open, bots that play, the worker, bulk exports.

Knows no HTTP: services raise exceptions of their own, which `api.http.problems` turns into responses.
"""
