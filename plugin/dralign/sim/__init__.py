"""The structured allocator of Kubernetes without a cluster: which devices a pod gets on a node, or why none."""
