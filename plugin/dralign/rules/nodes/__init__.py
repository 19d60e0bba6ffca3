"""Rules that have nothing to say where nothing tells of nodes or their kubelets: one file each."""
