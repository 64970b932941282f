"""`trickbook table`: what a host may do with tables before the deal, and `trickbook game list`."""
