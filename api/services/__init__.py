"""The services behind routes and commands: open stores, the autoplayer, the worker, bulk exports.

They don't depend on HTTP: they raise exceptions of their own, which `api.http.exception_handlers` turns into responses.
"""
