"""Manifests: what to hand to Kubernetes and to Ray, so that they play a run on many machines."""
