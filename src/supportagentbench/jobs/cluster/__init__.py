"""Cluster: conversations are played by Ray actors; the driver owns archive, budget and rate limits.

`engine` starts Ray, `cluster` is who plays, a `station` is the driver's side of one actor, and `worker` the
actor itself. They write each other `letters`, and `correspondence` is what the driver makes of them. What
workers share is lent to them: `leases` are the driver's side of that, `permits` theirs. `roster` and `bench`
say what happens after losses.

The keys of providers come from the environment of the workers; nothing here sends or stores them.
"""
