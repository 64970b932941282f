"""The server process: waitress runs the application and answers requests that it can't parse.

Routes and their errors belong to `api.routes` and `api.http`.
"""
