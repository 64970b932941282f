module trickbook-verify

go 1.19
