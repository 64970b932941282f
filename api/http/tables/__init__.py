"""Tables before the deal over HTTP: their bodies, and the schemas of requests about them."""
