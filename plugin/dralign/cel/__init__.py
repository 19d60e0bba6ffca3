"""The Common Expression Language as Kubernetes' device selectors use it; knows nothing of Kubernetes objects."""
