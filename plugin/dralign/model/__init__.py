"""What manifests say about claims, workloads and devices, free of API versions."""
